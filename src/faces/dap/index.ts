export { connect, listen, nodeHost } from './node.ts';
export { HANDLERS, NpdbSession } from './session.ts';
export type { Found, Host, OpenOptions } from './types.ts';
