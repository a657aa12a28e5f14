// `npm run build:web`: the web face as a folder of files (`dist-web`) for any web host.
import { ensurePackages, ensureWeb } from './bootstrap.mjs';

try {
  await ensurePackages();
  await ensureWeb();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
