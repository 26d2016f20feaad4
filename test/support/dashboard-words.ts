import { vi } from 'vitest';
import type { account } from '../../src/dashboard/words/en/account.ts';
import type { developers } from '../../src/dashboard/words/en/developers.ts';
import type { entry } from '../../src/dashboard/words/en/entry.ts';
import type { kit } from '../../src/dashboard/words/en/kit.ts';
import type { webhooks } from '../../src/dashboard/words/en/webhooks.ts';

type Words = {
  readonly account: typeof account;
  readonly developers: typeof developers;
  readonly entry: typeof entry;
  readonly kit: typeof kit;
  readonly webhooks: typeof webhooks;
};

/** What the dashboard says in an area, in a language. */
export async function wordsIn<Area extends keyof Words>(
  language: 'en' | 'es',
  area: Area,
): Promise<Words[Area]> {
  // Words look at the document for their language.
  vi.stubGlobal('document', { documentElement: { lang: language } });
  const read = (await import(`../../src/dashboard/words/${language}/${area}.ts`)) as Words;
  vi.unstubAllGlobals();
  return read[area];
}
