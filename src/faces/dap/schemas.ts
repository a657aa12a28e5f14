/** @file Argument shapes that several requests share. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';

/** Characters of an expression, a value or a message: nobody types more. */
export const MAX_SOURCE = 10_000;

export const sourceSchema: z.ZodType<DebugProtocol.Source> = z.looseObject({
  name: z.string().optional(),
  path: z.string().optional(),
  sourceReference: z.number().int().optional(),
}) as unknown as z.ZodType<DebugProtocol.Source>;

export const frameArguments = z.looseObject({ frameId: z.number().int() });

/** Most motions: `granularity` as the specification has it. */
export const motionArguments = z
  .looseObject({
    threadId: z.number().int().optional(),
    granularity: z.enum(['statement', 'line', 'instruction']).optional(),
  })
  .default({});
