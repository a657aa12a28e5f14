"""A client of `npdb env` in Python, standard library only: a random policy against the debugger.

    python3 examples/env/client.py --episodes 3                  # the bundled model predicts
    python3 examples/env/client.py --engine recorded --seed 7    # real runs

Both ends speak JSON-RPC 2.0, one message a line (docs/env.md).
"""

import argparse
import json
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEP_INTO, STEP_OVER, STEP_RETURN, INV_STEP_INTO = 0, 1, 2, 5


class RpcError(Exception):
    """The server refused: `code` is npdb's (`E_...`) where it has one."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = (error.get("data") or {}).get("code", error["code"])


class Server:
    """`npdb env` as a child process."""

    def __init__(self, *args):
        command = ["node", str(ROOT / "bin" / "npdb.js"), "env", *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def request(self, method, **params):
        self.last += 1
        return {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise EOFError("npdb env has ended")
        return json.loads(line)

    def call(self, method, **params):
        response = self.send(self.request(method, **params))
        if "error" in response:
            raise RpcError(response["error"])
        return response["result"]

    def call_all(self, method, params):
        """One batch: the model answers all of them together."""
        responses = self.send([self.request(method, **p) for p in params])
        for response in responses:
            if "error" in response:
                raise RpcError(response["error"])
        return [response["result"] for response in responses]


class Environment:
    """The shape of a Gymnasium environment; `Observation` and `info` are dictionaries."""

    def __init__(self, server, name="default", **options):
        self.server = server
        self.name = name
        server.call("make", env=name, **options)

    def reset(self, seed=None, **options):
        if seed is not None:
            options["seed"] = seed
        result = self.server.call("reset", env=self.name, **options)
        return result["observation"], result["info"]

    def step(self, action):
        r = self.server.call("step", env=self.name, action=action)
        return r["observation"], r["reward"], r["terminated"], r["truncated"], r["info"]

    def close(self):
        self.server.call("close", env=self.name)


def episode(env, rng, seed):
    """Steps at random, then answers with the last value that was returned at depth 0, if any."""
    observation, info = env.reset(seed=seed)
    answer, steps = "None", 0
    while True:
        if observation["kind"] == "return" and observation["depth"] == 0:
            answer = observation["value"]
            action = {"type": "answer", "value": answer}
        else:
            action = rng.choice([STEP_INTO, STEP_OVER, STEP_OVER, STEP_RETURN])
        observation, reward, terminated, truncated, info = env.step(action)
        steps += 1
        if terminated or truncated:
            return {"program": info["program"], "steps": steps, "answer": answer, "truth": info["truth"], "reward": reward}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="neural", choices=["neural", "recorded", "compared"])
    parser.add_argument("--programs", default=str(ROOT / "examples" / "programs.jsonl"))
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--python", default="pyodide", help="what runs programs where the engine is not neural")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with Server("--python", options.python) as server:
        env = Environment(
            server, set=options.programs, engine=options.engine, reward={"type": "answer"}, maxSteps=50, endOnExit=False
        )
        for number in range(options.episodes):
            # The first seed begins a sequence of episodes; the others go on with it.
            print(json.dumps(episode(env, rng, options.seed if number == 0 else None)))
        env.close()


if __name__ == "__main__":
    main()
