/** @file A real Chromium for tests, where this machine has one, and the page built and served to it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { languageOf } from '../../language/index.ts';
import { type Served, serveFolder } from './serve.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const PLACES = [
  process.env.NPDB_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Null where there is none: `NPDB_CHROMIUM` names one elsewhere. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether the bundled model speaks this version's language: while one is being trained it may not. */
export function bundledModelFits(): boolean {
  const meta = JSON.parse(readFileSync(join(root, 'models/small/npdb.json'), 'utf8'));
  return meta.codecVersion === languageOf(meta.codec).codec.version;
}

export interface Site {
  readonly browser: Browser;
  readonly url: string;
  /** Ends the server alone: the network is gone. */
  unplug(): Promise<void>;
  close(): Promise<void>;
}

/** Builds the page if it is stale (`NPDB_WEB_FOLDER` names one that is built), and serves it. */
export async function openSite(): Promise<Site> {
  const given = process.env.NPDB_WEB_FOLDER;
  if (!given) {
    const build = "import('./scripts/bootstrap.mjs').then((b) => b.ensureWeb())";
    await promisify(execFile)(process.execPath, ['-e', build], { cwd: root });
  }
  const served: Served = await serveFolder(given ?? join(root, 'dist-web'));
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: FLAGS });
  return {
    browser,
    url: served.url,
    unplug: () => served.close(),
    async close() {
      await browser.close();
      await served.close();
    },
  };
}

/** What a test does with the page, in a person's words. */
export class Visitor {
  readonly page: Page;
  /** What the page asked of any host but its own. */
  readonly elsewhere: string[] = [];
  /** What went wrong in it. */
  readonly errors: string[] = [];

  private constructor(page: Page, site: Site) {
    this.page = page;
    // Loading Python and the model takes seconds, on a busy machine minutes.
    page.setDefaultTimeout(300_000);
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (origin !== new URL(site.url).origin && !/^(data|blob):$/.test(protocol))
        this.elsewhere.push(request.url());
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  static async visit(site: Site, context: BrowserContext, hash = ''): Promise<Visitor> {
    const visitor = new Visitor(await context.newPage(), site);
    await visitor.page.goto(site.url + hash);
    await visitor.settled();
    return visitor;
  }

  /** To another program, in the same page: what is loaded stays. */
  async go(hash: string): Promise<void> {
    const before = await this.page.locator('.app').getAttribute('data-session');
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await this.page.locator(`.app:not([data-session="${before}"])`).waitFor();
    await this.settled();
  }

  /** Until a state stands and nothing is being done. */
  async settled(): Promise<void> {
    await this.page.locator('.where[data-position]').waitFor();
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.page.locator('.status-busy[data-busy=false]').waitFor({ state: 'attached' });
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.idle();
    }
  }

  async click(command: string): Promise<void> {
    await this.page.locator(`[data-command=${command}]`).click();
    await this.idle();
  }

  /** `line 9 · total`, of one world. */
  async spot(world: 'predicted' | 'real'): Promise<string | null> {
    return this.page.locator(`.world.${world} .world-spot`).textContent();
  }

  /** The texts of a variable's cells: one, or predicted and real. */
  async variable(name: string): Promise<string[]> {
    return this.page.locator(`.variables tr[data-name="${name}"] td`).allTextContents();
  }

  /** Changes a value where it stands. */
  async set(name: string, value: string): Promise<void> {
    await this.page.locator(`.variables tr[data-name="${name}"] .value`).first().click();
    const input = this.page.locator('.value-input');
    await input.fill(value);
    await input.press('Enter');
    await this.idle();
  }

  async position(): Promise<string | null> {
    return this.page.locator('.where').getAttribute('data-position');
  }
}
