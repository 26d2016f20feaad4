import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const text = async (path: string): Promise<string> => (await fetch(`${t.url}${path}`)).text();

describe.each(['recover', 'method'])('the page /%s', (name) => {
  it('loads its own files, labels every input and has every element its script speaks of', async () => {
    const html = await text(`/${name}/some.page.token`);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded).toEqual(['/assets/page.css', '/assets/card.css', '/assets/card.js']);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    const script = await text('/assets/card.js');
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const labelled = new Set([...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
    const inputs = [...html.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id);
    expect(inputs).toEqual(['number', 'expiry', 'cvc']);
    expect(inputs.filter((id) => !labelled.has(id) || !ids.has(`${id}-problem`))).toEqual([]);
    const spoken = [...script.matchAll(/(?:element|input|getElementById)\('([^']+)'\)/g)].map(([, id]) => id);
    expect(spoken.filter((id) => !ids.has(id ?? ''))).toEqual([]);
  });
});
