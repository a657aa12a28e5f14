/** Which inputs give this output? The model proposes, the sandbox checks. */
import { openSession } from 'npdb';

const text = 'def double(x):\n    y = x * 2\n    return y\n';
const { debug, close } = await openSession({ text, path: 'main.py', call: 'double(3)' });

const candidates = await debug.inverse('8', { n: 4, check: true });
for (const { call, confidence, checked, gives } of candidates)
  console.error(call, confidence, checked, gives);
console.log(candidates.every((c) => typeof c.checked === 'boolean')); // true
await close();
