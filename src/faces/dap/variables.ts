/** @file The `variables` request: rows of a scope, parts of a value page by page, values that cost a run when opened. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import type { Value } from '../../values/types.ts';
import type { Adapter } from './adapter.ts';
import { lazyGlobals, openLazy } from './lazy.ts';
import { isNamed, isReturnRow, locate, scopeRows } from './parts.ts';
import type { VariableRef } from './references.ts';
import { plain } from './show.ts';
import type { FrameRef, Handlers } from './types.ts';
import {
  indexedCount,
  indexedParts,
  missing,
  namedCount,
  namedParts,
  type Part,
  pathExpression,
  readValue,
  reprOf,
  textOf,
  typeName,
} from './values.ts';

const variablesArguments = z.looseObject({
  variablesReference: z.number().int(),
  filter: z.enum(['indexed', 'named']).optional(),
  start: z.number().int().min(0).optional(),
  count: z.number().int().min(0).optional(),
});
type Page = z.infer<typeof variablesArguments>;

/** Parts fetched by one run at most, where the client sets no limit. */
const PAGE = 1000;

export const variables: Handlers = {
  async variables(adapter, given, { signal }) {
    const page = variablesArguments.parse(given);
    const ref = adapter.references.variables(page.variablesReference);
    switch (ref.type) {
      case 'scope':
        return { body: { variables: slice(scopeVariables(adapter, ref), page) } };
      case 'lazy':
        return { body: { variables: await openLazy(adapter, ref, signal) } };
      case 'texts':
        return { body: { variables: slice(ref.rows, page).map(([name, text]) => bare(name, plain(text))) } };
      default:
        return { body: { variables: await partVariables(adapter, ref, page) } };
    }
  },
};

/** One row, for any value at hand. `ref` is what opening it asks for. */
export function variable(
  adapter: Adapter,
  row: {
    readonly name: string;
    readonly value: Value;
    readonly ref: VariableRef;
    readonly mark: string;
    readonly expression: string | null;
    readonly attributes?: readonly string[];
  },
): DebugProtocol.Variable {
  const { name, value, mark, expression } = row;
  const indexed = indexedCount(value);
  const named = namedCount(value);
  const type = typeName(value);
  const attributes = [
    ...(row.attributes ?? []),
    ...(mark ? [mark.includes('edited') ? 'edited' : 'predicted'] : []),
  ];
  return {
    name,
    value: `${reprOf(value)}${mark}`,
    ...(type === '' ? {} : { type }),
    variablesReference: indexed + named > 0 ? adapter.references.variablesId(row.ref) : 0,
    ...(indexed > 0 ? { indexedVariables: indexed } : {}),
    ...(named > 0 ? { namedVariables: named } : {}),
    ...(expression === null ? {} : { evaluateName: expression }),
    presentationHint: { kind: 'data', ...(attributes.length > 0 ? { attributes } : {}) },
  };
}

/** A text that is no value, shown as it is. */
export const bare = (
  name: string,
  value: string,
  attributes: readonly string[] = [],
): DebugProtocol.Variable => ({
  name,
  value,
  variablesReference: 0,
  presentationHint: { kind: 'virtual', attributes: ['readOnly', ...attributes] },
});

/** The row of a name in a scope. */
export function namedRow(
  adapter: Adapter,
  ref: Extract<VariableRef, { type: 'scope' }>,
  name: string,
  text: string,
): DebugProtocol.Variable {
  const mark = adapter.mark(ref.frame, name);
  const value = readValue(text);
  if (!value) return bare(name, `${text}${mark}`);
  const own = isNamed(ref.scope, name);
  return variable(adapter, {
    name,
    value,
    ref: { type: 'part', frame: ref.frame, scope: ref.scope, name, path: [] },
    mark,
    expression: own ? name : null,
    attributes: own ? [] : ['readOnly'],
  });
}

/** The name an expression begins with. */
export const rootName = (expression: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*/u.exec(expression)?.[0] ?? '';

// --- internal ---

function scopeVariables(
  adapter: Adapter,
  ref: Extract<VariableRef, { type: 'scope' }>,
): DebugProtocol.Variable[] {
  const rows = [...scopeRows(adapter, ref.frame, ref.scope)].map(([name, text]) =>
    namedRow(adapter, ref, name, text),
  );
  if (ref.scope === 'globals') rows.push(...lazyGlobals(adapter, ref.frame));
  if (ref.scope === 'locals' && !adapter.frameOf(ref.frame).known) {
    rows.push(bare('(unknown)', 'the locals of this frame are not known: the walk came from a wanted value'));
  }
  return rows.map((row) =>
    isReturnRow(row.name) ? { ...row, presentationHint: { kind: 'virtual', attributes: ['readOnly'] } } : row,
  );
}

const slice = <T>(rows: readonly T[], { filter, start = 0, count = 0 }: Page): T[] =>
  // A scope's rows are all named.
  filter === 'indexed' ? [] : rows.slice(start, count > 0 ? start + count : undefined);

async function partVariables(
  adapter: Adapter,
  ref: Extract<VariableRef, { type: 'part' | 'result' }>,
  page: Page,
): Promise<DebugProtocol.Variable[]> {
  const { value, frame, expression, predicted } = locate(adapter, ref);
  const root = ref.type === 'part' ? ref.name : rootName(ref.expression);
  const mark = predicted ? adapter.mark(frame, root) : '';
  const shown = (part: Part): DebugProtocol.Variable =>
    variable(adapter, {
      name: part.name,
      value: part.value,
      ref: { ...ref, path: [...ref.path, part.step] },
      mark,
      expression: expression === null ? null : pathExpression(expression, value, [part.step]),
    });
  const { filter, start = 0, count = 0 } = page;
  const end = count > 0 ? start + count : Number.POSITIVE_INFINITY;
  const rows: DebugProtocol.Variable[] = [];
  // Without a filter a page is of all parts together: the named ones come first.
  const groups = filter ? [filter] : (['named', 'indexed'] as const);
  let offset = 0;
  for (const group of groups) {
    const known = group === 'named' ? namedParts(value) : indexedParts(value);
    const total = group === 'named' ? namedCount(value) : indexedCount(value);
    const [from, to] = [Math.max(0, start - offset), Math.min(total, end - offset)];
    offset += total;
    rows.push(...known.slice(from, Math.max(from, to)).map(shown));
    const first = Math.max(from, known.length);
    if (to > first && total > known.length) {
      rows.push(...(await beyond(adapter, { value, frame, expression }, first, Math.min(to, first + PAGE))));
    }
  }
  return rows;
}

/** Parts that the recording cut away: asked of a run, where there is one; otherwise said to be missing. */
async function beyond(
  adapter: Adapter,
  of: { readonly value: Value; readonly frame: FrameRef; readonly expression: string | null },
  from: number,
  to: number,
): Promise<DebugProtocol.Variable[]> {
  const { value, frame, expression } = of;
  const more = bare('...', `${missing(value)} more, not shown`);
  const sliceable = value.type === 'list' || value.type === 'tuple' || value.type === 'dict';
  if (expression === null || !sliceable || !adapter.isCurrent(frame) || adapter.debug.engine !== 'recorded')
    return [more];
  const base = value.type === 'dict' ? `list(${expression}.items())` : expression;
  const result = await adapter.debug.evaluate(`${base}[${from}:${to}]`, frame.up, { full: true });
  const found = result.type === 'value' ? readValue(result.value) : null;
  if (!found) return [more];
  return indexedParts(found).map((part, i) => {
    const pair = value.type === 'dict' && part.value.type === 'tuple' ? part.value.items : null;
    const key = pair ? reprOf(pair[0]!) : null;
    const item = pair ? pair[1]! : part.value;
    const access = `${expression}[${key ?? from + i}]`;
    return variable(adapter, {
      name: key ?? String(from + i),
      value: item,
      ref: { type: 'result', text: textOf(item), expression: access, frame, path: [], predicted: false },
      mark: '',
      expression: access,
    });
  });
}
