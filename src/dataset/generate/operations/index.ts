/**
 * @file All operations, drawn as often as real code uses them: by the square root of the measured counts, so that what is
 * frequent comes first and everything comes often enough to be learnt.
 */
import type { Random } from '../../../common/random.ts';
import { FREQUENCIES } from '../frequencies.ts';
import type { Ty } from '../values.ts';
import { LISTS } from './lists.ts';
import { NUMBERS } from './numbers.ts';
import { type Operation, operationsOf, TYPES } from './operation.ts';
import { SLICES } from './slices.ts';
import { STRINGS } from './strings.ts';
import { TABLES } from './tables.ts';

export const OPERATIONS: readonly Operation[] = operationsOf([
  ...STRINGS,
  ...SLICES,
  ...NUMBERS,
  ...LISTS,
  ...TABLES,
]);

type Table = Readonly<Record<string, number>>;
const F: Readonly<Record<string, Table>> = {
  methods: FREQUENCIES.methods,
  builtins: FREQUENCIES.builtins,
  operators: FREQUENCIES.operators,
  slices: FREQUENCIES.slices,
  forms: FREQUENCIES.forms,
};

/** What a name is counted as where it is not itself in a table. */
const COUNTED_AS: Readonly<Record<string, number>> = {
  comprehension: FREQUENCIES.statements.ForStatement / 3,
  'f-string': 583,
  'if else': 1037,
  '[x]': FREQUENCIES.indexes.x,
  '[n]': FREQUENCIES.indexes.n,
  '[k]': FREQUENCIES.indexes.x,
  swap: FREQUENCIES.forms.unpacking,
  'dict store': FREQUENCIES.forms['subscript store'],
  del: FREQUENCIES.statements.DeleteStatement,
};

/** Fewer than this in the real programs count as this many. */
const LEAST = 60;

function countOf(name: string): number {
  const first = name.split(' ')[0]!;
  const tables: readonly (readonly [Table, string])[] = [
    [COUNTED_AS, name],
    [COUNTED_AS, first],
    [F.forms!, name],
    [F.methods!, first.slice(1)],
    [F.slices!, first.slice(1, -1)],
    [F.builtins!, first],
    [F.operators!, first],
  ];
  for (const [table, key] of tables) if (Object.hasOwn(table, key)) return Math.max(LEAST, table[key]!);
  return LEAST;
}

/** Its weight, and the forms it has. */
type Family = readonly [weight: number, members: readonly Operation[]];

/** Operations by name; a name's weight is shared by its forms. */
function families(operations: readonly Operation[]): readonly Family[] {
  const byName = new Map<string, Operation[]>();
  for (const operation of operations) {
    const members = byName.get(operation.name);
    if (members) members.push(operation);
    else byName.set(operation.name, [operation]);
  }
  // Many forms are many things to learn: a family with more of them is drawn more often.
  return [...byName].map(
    ([name, members]): Family => [Math.sqrt(countOf(name)) * members.length ** 0.4, members],
  );
}

const plain = (type: Ty): Ty => (type === 'ch' ? 'str' : type);

const ALL = families(OPERATIONS);
const BY_TYPE = new Map<Ty, readonly Family[]>();
for (const type of new Set(OPERATIONS.map((o) => plain(TYPES[o.operands[0]!]!)))) {
  // A first operand of digits or of a small number would seldom be at hand.
  const fits = OPERATIONS.filter(
    (o) => plain(TYPES[o.operands[0]!]!) === type && !/[deNc]/.test(o.operands[0]!),
  );
  BY_TYPE.set(type, families(fits));
}

const draw = (r: Random, from: readonly Family[]): Operation => r.pick(r.weighted(from));

export const drawOperation = (r: Random): Operation => draw(r, ALL);

/** One whose first operand has the type; null where there is none. */
export function drawOperationOn(r: Random, type: Ty): Operation | null {
  const from = BY_TYPE.get(plain(type));
  return from?.length ? draw(r, from) : null;
}
