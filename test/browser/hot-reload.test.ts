import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheFolder, exists, preparedFile } from '../../src/platform/db/prepared.ts';
import { root } from '../../src/platform/root.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { password } from '../support/people.ts';

// Runs the sources in a copy of the project, as `npm run dev` does, because the test edits them.

let folder: string;
let service: Child;
let browser: Browser;

/** Copies everything to a folder that the service needs to run from its sources. */
async function copyProject(target: string): Promise<void> {
  for (const name of ['src', 'prisma', 'schema.graphql', 'package.json', 'package-lock.json'])
    await cp(path.join(root, name), path.join(target, name), { recursive: true });
  await mkdir(path.join(target, '.cache'));
  // Archive of an empty database, which speeds up the first start.
  const archive = path.relative(root, await preparedFile(cacheFolder));
  if (await exists(path.join(root, archive))) await cp(path.join(root, archive), path.join(target, archive));
  await symlink(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
}

/** Replaces a text in a file of the dashboard's copy. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const edited = path.join(folder, 'src/dashboard', file);
  const before = await readFile(edited, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  // Editors replace a file in one step, so that no program reads half of it.
  await writeFile(`${edited}~`, after);
  await rename(`${edited}~`, edited);
}

const openedAt = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin);

describe.skipIf(browserPath === null)('the dashboard in development', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quittance-'));
    await copyProject(folder);
    const env = {
      DASHBOARD: 'watch',
      DATA_DIR: path.join(folder, 'data'),
      // The compile cache is by path, so it would grow with each run.
      NODE_DISABLE_COMPILE_CACHE: '1',
    };
    [service, browser] = await Promise.all([startChild(env, { folder, runsSources: true }), openBrowser()]);
    await eventually(async () => (await fetch(`${service.url}/dashboard`)).status === 200);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), service.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('shows edits of components, messages, and documents without a reload, and keeps the state of the page', async () => {
    const ctx = await browser.newContext();
    const page = await ctx.newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    page.setDefaultTimeout(60_000);
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('button', { name: 'Create account' }).click();
    const email = page.getByLabel('Email');
    await email.fill('ada@hot.test');
    const opened = await openedAt(page);

    await edit(
      'shell/entry/sign-in.tsx',
      '<Stack gap={1}>',
      '<Text as="p">An edited component</Text><Stack gap={1}>',
    );
    await page.getByText('An edited component').waitFor();
    await edit('words/en/entry.json', '"I was invited"', '"An edited message"');
    await page.getByRole('button', { name: 'An edited message' }).waitFor();
    expect([await email.inputValue(), await openedAt(page)]).toEqual(['ada@hot.test', opened]);

    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Organization name').fill('Analytical Engines');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('button', { name: /^Analytical Engines/ }).waitFor();

    const asksForEdit = page.waitForRequest(
      (request) => request.postData()?.includes('edited: name') === true,
    );
    await edit('pages/home/page.graphql', 'reportingCurrency', 'reportingCurrency edited: name');
    expect((await (await asksForEdit).response())?.status()).toBe(200);
    expect([await openedAt(page), errors]).toEqual([opened, []]);
  });
});
