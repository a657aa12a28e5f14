/** @file The command line opens its sessions as every face does. */
export { openSession, type Session, type SessionOptions } from '../session.ts';
