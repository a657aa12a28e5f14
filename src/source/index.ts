export { parseProgram } from './program.ts';
