"""`oc.map`: one job over any number of prompts, in shards, on any number of processes.

`mapped.py` is the function and the order of events, what a user gets, and the folder of shards that are done;
`inputs.py` reads prompts and keys and cuts them into shards; `job.py` is what is done with a row; `shards.py` does a
shard, and turns its results into bytes and back; `processes.py` is what does shards: this process or others, `ray.py`
on Ray; `recipes.py` is what travels to them, and names work, so that a shard is found again; `command.py` is
`python -m outlines_cont map`.
"""
