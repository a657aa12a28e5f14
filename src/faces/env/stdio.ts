/** @file The environments over stdin and stdout: one JSON-RPC message a line. stdout carries the protocol alone. */
import { createInterface } from 'node:readline';
import type { EnvironmentServer } from './rpc.ts';

/** A line longer than this is no request. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Ends when stdin does, after everything asked was answered. */
export async function serveLines(server: EnvironmentServer, signal: AbortSignal): Promise<void> {
  console.log = console.info = console.debug = console.error;
  const reader = createInterface({ input: process.stdin, crlfDelay: Infinity });
  signal.addEventListener('abort', () => reader.close(), { once: true });
  const going = new Set<Promise<void>>();
  for await (const line of reader) {
    if (line.trim() === '') continue;
    const text = line.length > MOST_CHARACTERS ? '' : line;
    const answer = server.handle(text).then((response) => {
      if (response !== null) process.stdout.write(`${response}\n`);
    });
    going.add(answer);
    void answer.finally(() => going.delete(answer));
  }
  if (!signal.aborted) await Promise.allSettled(going);
  await server.close();
}
