"""`oc.map`: one job over any number of prompts, in shards, on any number of processes.

`mapped.py` is the function and the order of events; `inputs.py` reads prompts and keys and cuts them into shards;
`job.py` is what is done with a row; `batches.py` does a shard; `shards.py` turns its results into bytes and back;
`specification.py` names work, so that a shard is found again; `folder.py` keeps shards on disk; `pools.py` is what does
shards elsewhere, `processes.py` the processes of this machine; `recipes.py` is what travels to them; `command.py` is
`python -m outlines_cont map`.
"""
