/** @file A command under the system's own limits, which no program can raise again. */

export interface SystemLimits {
  /** Address space. */
  readonly memoryMb?: number;
  /** Processor time. */
  readonly seconds?: number;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** 64 MB in the shell's blocks of 512 bytes: the largest file that can be written. */
const FILE_BLOCKS = 1 << 17;

/**
 * Set by the shell before the command begins. Where the system has no such limit (address space on macOS, all on
 * Windows) the command goes on without it.
 */
export function limited({ command, args }: Command, { memoryMb, seconds }: SystemLimits): Command {
  if (process.platform === 'win32') return { command, args };
  const limits = ['-c 0', `-f ${FILE_BLOCKS}`];
  if (memoryMb !== undefined) limits.push(`-v ${memoryMb * 1024}`);
  // The soft limit's signal (SIGXCPU) says what happened; the hard one's (SIGKILL) would not.
  if (seconds !== undefined) limits.push(`-H -t ${seconds + 2}`, `-S -t ${seconds}`);
  const script = limits.map((limit) => `ulimit ${limit} 2>/dev/null || :`).join('; ');
  return { command: '/bin/sh', args: ['-c', `${script}; exec "$0" "$@"`, command, ...args] };
}
