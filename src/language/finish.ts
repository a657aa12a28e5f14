/**
 * @file The shortest way to end an answer: for one that has run into its token limit. Grammar alone, as the mask: what is
 * added closes what is open and says no more than it must.
 */
import type { AutomatonState, Piece } from './types.ts';

/** Automaton states looked at before it gives up. */
const MOST = 20_000;
const utf8 = new TextEncoder();
/** What closes something comes first: of equally short ends the first found is taken. */
const BYTES = [
  ...utf8.encode(`'")]}>0=: ,_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789#.+-`),
];

interface Reached {
  readonly state: AutomatonState;
  readonly from: Reached | null;
  readonly symbol: number;
  /** Specials on the way: keys are equal only for the same specials to come. */
  readonly specials: string;
}

/** Symbols that end the answer from here, fewest first; null where none were found. `specials`: how many the codec has. */
export function shortestEnd(start: AutomatonState, specials: number): number[] | null {
  const symbols = [...Array.from({ length: specials }, (_, i) => 256 + i), ...BYTES];
  const seen = new Set<string>();
  let border: Reached[] = [{ state: start, from: null, symbol: -1, specials: '' }];
  for (let looked = 0; border.length > 0; ) {
    const next: Reached[] = [];
    for (const at of border) {
      if (at.state.done) return symbolsTo(at);
      if (++looked > MOST) return null;
      for (const symbol of symbols) {
        const state = at.state.next(symbol);
        if (!state) continue;
        const passed = symbol < 256 ? at.specials : `${at.specials} ${symbol}`;
        const key = `${passed}|${state.key}`;
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ state, from: at, symbol, specials: passed });
      }
    }
    border = next;
  }
  return null;
}

/** Symbols as pieces of an answer. */
export function piecesOf(symbols: readonly number[], specials: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let bytes: number[] = [];
  const flush = () => {
    if (bytes.length > 0) pieces.push({ text: new TextDecoder().decode(Uint8Array.from(bytes)) });
    bytes = [];
  };
  for (const symbol of symbols) {
    if (symbol < 256) bytes.push(symbol);
    else {
      flush();
      pieces.push({ special: specials[symbol - 256]! });
    }
  }
  flush();
  return pieces;
}

function symbolsTo(end: Reached): number[] {
  const symbols: number[] = [];
  for (let at: Reached | null = end; at?.from; at = at.from) symbols.push(at.symbol);
  return symbols.reverse();
}
