/** A reinforcement learning environment in the same process: `npdb/env`. Other languages: `npdb env` (docs/env.md). */
import { DebugEnvironment, Shared } from 'npdb/env';

const code = 'def double(x):\n    y = x * 2\n    return y\n';
const shared = new Shared();
const env = new DebugEnvironment(
  { programs: [{ id: 'double', code, call: 'double(3)' }], engine: 'recorded', reward: { type: 'answer' } },
  shared,
);
const { observation, info } = await env.reset({ seed: 1 });
console.log(observation.kind, observation.locals, info.program); // call { x: '3' } double

const step = await env.step('step_return');
console.log(step.observation.value, step.terminated); // 6 false
const end = await env.step({ type: 'answer', value: '6' });
console.log(end.reward, end.terminated); // 1 true
await env.close();
await shared.close();
