import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NpdbError } from '../common/errors.ts';
import { loadModel } from './load.ts';

const TINY = new URL('../../test/fixtures/tiny-model/', import.meta.url).pathname;

describe('loadModel', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'npdb-model-'));
    await cp(TINY, dir, { recursive: true });
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function failure(path = dir): Promise<NpdbError> {
    const error = await loadModel(path).then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(NpdbError);
    expect((error as NpdbError).exit).toBe(3);
    expect((error as NpdbError).line()).not.toContain('\n');
    return error as NpdbError;
  }

  const edit = async (change: (meta: Record<string, unknown>) => void): Promise<void> => {
    const meta = JSON.parse(await readFile(join(dir, 'npdb.json'), 'utf8'));
    change(meta);
    await writeFile(join(dir, 'npdb.json'), JSON.stringify(meta));
  };

  it('says what the model is', async () => {
    const model = await loadModel(dir);
    expect(model).toMatchObject({ vocabularySize: 64, contextLength: 64 });
    expect(model.meta).toMatchObject({ name: 'tiny-model', codec: 'compact', tokenizer: 'tiny-test' });
    await model.close();
  });

  it('misses a folder, and a folder without a model', async () => {
    expect(await failure(join(dir, 'none'))).toMatchObject({ code: 'E_MODEL_MISSING' });
    await rm(join(dir, 'npdb.json'));
    expect((await failure()).message).toContain('npdb.json');
  });

  it.each([
    ['no JSON', () => writeFile(join(dir, 'npdb.json'), '{"format"')],
    ['another JSON', () => writeFile(join(dir, 'npdb.json'), '{"format": "else"}')],
    ['a key missing', () => edit((meta) => delete meta.heads)],
    ['weights missing', () => rm(join(dir, 'model.safetensors'))],
    ['weights cut off', () => truncate(join(dir, 'model.safetensors'), 1000)],
    ['a graph that is none', () => writeFile(join(dir, 'model.onnx'), 'x')],
    ['no graph', () => rm(join(dir, 'model.onnx'))],
    ['a graph of fewer layers', () => edit((meta) => (meta.layers = 3))],
  ])('is broken: %s', async (_, damage) => {
    await damage();
    expect(await failure()).toMatchObject({ code: 'E_MODEL_BROKEN' });
  });

  it.each(['version', 'traceVersion'])('is of another %s', async (key) => {
    await edit((meta) => (meta[key] = 99));
    expect(await failure()).toMatchObject({ code: 'E_MODEL_VERSION' });
  });
});
