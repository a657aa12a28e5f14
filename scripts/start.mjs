// `npm start`: set-up, then neural debugging of the bundled example with the bundled model.
import { ensureBuild, ensurePackages, ensureSandbox, root, run } from './bootstrap.mjs';

try {
  await ensurePackages();
  await ensureBuild();
  await ensureSandbox();
  process.exitCode = await run(process.execPath, ['bin/npdb.js', 'demo', ...process.argv.slice(2)], {
    cwd: root,
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
