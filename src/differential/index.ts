export { startDriver } from './driver.ts';
export { eventLines } from './events.ts';
export { randomProgram } from './programs.ts';
export { check, LIMITS, NOTHING, type Subject, sum, type Tally } from './suite.ts';
