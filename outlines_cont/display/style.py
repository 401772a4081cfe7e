"""The style sheet of the rows view."""

from __future__ import annotations

from outlines_cont.fsm.draw.picture import BLUE, GREY, VERMILION

# Of a token, from the top: its fill, by the probability at which it was drawn; a line, by the model's own; the bar of
# keys and values. (--c: the colour of its source; --d, --m: the two probabilities; --u: the line's pattern.)
STYLE = (
    """
.oc{font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.oc .r{display:flex;gap:1em;margin:.6em 0;align-items:baseline}
.oc .v .r{margin:0}
.oc .r>:first-child,.oc .o,.oc .m{opacity:.75;white-space:nowrap;font-variant-numeric:tabular-nums}
.oc .r>:first-child{min-width:8.4em}
.oc .r>:last-child{min-width:0}
.oc .m,.oc .o{white-space:normal}
.oc .m{font-size:11px}
.oc .x{white-space:pre-wrap;font:13px/2.2 ui-monospace,monospace;min-width:0}
.oc .v .x{line-height:1.95}
.oc span{padding:2px 0 9px;-webkit-box-decoration-break:clone;box-decoration-break:clone;--k:
repeating-linear-gradient(115deg,currentColor 0 1px,transparent 1px 4px);--u:none;--f:none;background:
var(--k) 0 100%/100% 4px no-repeat,var(--u) 0 calc(100% - 6px)/100% 2px no-repeat,
var(--f) 0 0/100% calc(100% - 9px) no-repeat}
.oc .k{--k:linear-gradient(#8a8a8a,#8a8a8a)}
.oc .q{--k:repeating-linear-gradient(90deg,#8a8a8a 0 6px,transparent 6px 8px)}
.oc .t{font-style:italic}
.oc .g,.oc .f{--a:color-mix(in srgb,var(--c) calc(8% + var(--d)*47%),transparent);
--f:linear-gradient(var(--a),var(--a));--b:color-mix(in srgb,currentColor calc(var(--m)*100%),transparent)}
.oc .g{--c:BLUE;--u:linear-gradient(var(--b),var(--b))}
.oc .f{--c:VERMILION;--u:repeating-linear-gradient(90deg,var(--b) 0 2px,transparent 2px 4px)}
.oc .u{font-style:italic;outline:1px dashed GREY;outline-offset:-1px}
.oc .a{--d:0;--u:none!important}
.oc .a>*{font:inherit;opacity:1;text-decoration:none;background:color-mix(in srgb,BLUE 22%,transparent)}
.oc .a>b{background:color-mix(in srgb,BLUE 50%,transparent)}
.oc .a>i{background:color-mix(in srgb,VERMILION 50%,transparent)}
.oc i{font-style:normal}
.oc .w{background:radial-gradient(circle,currentColor 0 .8px,transparent 1.3px) 50% 55%/100% 100% no-repeat;opacity:.55}
.oc .n::before{content:"⏎";opacity:.55}
.oc .h::before{content:"→";opacity:.55}
.oc .e{outline:1px solid GREY;outline-offset:-1px;font-size:.85em}
.oc b{font:600 11px/1 system-ui,sans-serif;opacity:.8}
.oc .s{border-left:2px solid currentColor;margin:0 1px 0 3px;padding:2px 0}
.oc .s::before{content:attr(data-n);padding:0 3px;vertical-align:super;font-size:9px}
.oc .s:not([data-n])::before{content:none}
.oc .z::before{content:"■"}
.oc .c::before{content:"✂"}
.oc .y::before{content:attr(data-n);padding:0 .6em;font-weight:400}
.oc .l{font-size:11px;line-height:1.7;opacity:.9;margin-top:.6em;display:grid;gap:.2em 1.4em;
grid-template-columns:repeat(auto-fill,minmax(21em,1fr))}
.oc .l>div{display:flex;gap:.7em;align-items:baseline}
.oc .l>div>:first-child{flex:none;min-width:6.6em}
.oc .l span{padding-bottom:7px}
.oc .l span:not(.k,.q,.j){--k:none}
.oc .l .s{padding:0}
""".replace("BLUE", BLUE)
    .replace("VERMILION", VERMILION)
    .replace("GREY", GREY)
)
