// Browsers start no workers from file:// addresses. There, a hidden frame does the work of the search instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.started = new Promise((resolve, reject) => {
        const script = inside.document.createElement("script")
        script.src = new URL(address, location)
        script.onload = () => resolve(inside)
        script.onerror = reject
        inside.document.body.append(script)
      })
    }
    postMessage(data) {
      this.started.then(inside => inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {}
  }
}
