import { renderToString } from 'preact-render-to-string';
import { accentOf } from '../ui/accent.ts';
import type { PageInput, PageName, PageRenderer, RenderedPage } from '../web/page-renderer.ts';
import { checkout } from './checkout/entry.tsx';
import { claim } from './claim/entry.tsx';
import { PageProvider } from './data/current-page.ts';
import { invitation } from './invitation/entry.tsx';
import { invoice } from './invoice/entry.tsx';
import { login } from './login/entry.tsx';
import { method } from './method/entry.tsx';
import type { PageEntry } from './page-entry.ts';
import type { Branding } from './parts/frame.tsx';
import { pay } from './pay/entry.tsx';
import { portal } from './portal/entry.tsx';
import { pricing } from './pricing/entry.tsx';
import { recover } from './recover/entry.tsx';
import type { First } from './start.tsx';
import type { Area } from './words/areas.ts';
import type { Words } from './words/en.ts';

// Runs in the service: writes the first document of a page, by the same parts that the browser takes over.

const pages: Readonly<Record<PageName, PageEntry>> = {
  checkout,
  pay,
  recover,
  method,
  portal,
  claim,
  invitation,
  invoice,
  login,
  pricing,
};

const catalogs: ReadonlyMap<string, Words> = new Map(
  Object.entries(import.meta.glob<{ readonly words: Words }>('./words/*.ts', { eager: true })).map(
    ([file, { words }]) => [file.replace(/^.*\/|\.ts$/g, ''), words] as const,
  ),
);

const areas: ReadonlyMap<string, Area['words']> = new Map(
  Object.entries(import.meta.glob<{ readonly words: Area['words'] }>('./words/*/*.ts', { eager: true })).map(
    ([file, { words }]) => [file, words],
  ),
);

/** The words a page has besides those of every page. */
function areaIn(language: string, name: PageEntry['area']): Area | null {
  if (name === undefined) return null;
  const words = areas.get(`./words/${name}/${language}.ts`);
  if (words === undefined) throw new Error(`There are no words of ${name} in ${language}.`);
  return { name, words } as Area;
}

const fonts = {
  system: null,
  serif: 'ui-serif, Georgia, Cambria, "Times New Roman", serif',
  rounded: 'ui-rounded, "SF Pro Rounded", "Arial Rounded MT Bold", Nunito, system-ui, sans-serif',
  mono: 'var(--font-code)',
} as const;

/** The tokens a seller changes: its color with the contrast of text, its corners and its font. */
function stylesOf({ accentColor, radius, font }: Branding): string {
  const accent = accentOf(accentColor);
  const themed = (name: 'accent' | 'onAccent'): string =>
    accent === null ? '' : `light-dark(${accent.light[name]},${accent.dark[name]})`;
  const color = themed('accent');
  const rules = [
    ...(accent === null
      ? []
      : [
          ...['--accent', '--accent-text', '--focus'].map((name) => `${name}:${color}`),
          // Away from the text on it, so that the contrast grows.
          `--accent-hover:color-mix(in srgb,${color} 88%,light-dark(#000000,#ffffff))`,
          `--on-accent:${themed('onAccent')}`,
        ]),
    `--radius:${radius}px`,
    `--radius-xl:${Math.round(radius * 1.5)}px`,
    ...(fonts[font] === null ? [] : [`--font:${fonts[font]}`]),
  ];
  return `:root{${rules.join(';')}}`;
}

/** The language, the theme, the sandbox and the country an address names, as links to other sections and languages of the page repeat them. */
function searchOf({ link, theme, isSandbox, country }: PageInput): string {
  const named = Object.entries({ locale: link, theme, sandbox: isSandbox ? '' : null, country }).filter(
    (each): each is [string, string] => each[1] !== null,
  );
  return named.length === 0 ? '' : `?${new URLSearchParams(named)}`;
}

function render(name: PageName, input: PageInput): RenderedPage {
  const { token, section, answer, link, accepted, theme, base } = input;
  const entry = pages[name];
  const look = answer.data === undefined ? null : entry.lookOf(answer.data);
  const known = [look?.locale, link, accepted, 'en'].find((each) => each != null && catalogs.has(each));
  const language = known ?? 'en';
  const words = catalogs.get(language);
  if (words === undefined) throw new Error(`There are no words in ${language}.`);
  const branding = look?.branding ?? null;
  const place = { name, token, section, search: searchOf(input), base, language };
  const page = { ...place, words, area: areaIn(language, entry.area) };
  const themes = [theme, branding?.theme].find((each) => each === 'light' || each === 'dark');
  const first: First = { ...place, answer };
  return {
    html: renderToString(<PageProvider value={page}>{entry.view(answer)}</PageProvider>),
    title: entry.titleOf(answer.data, page),
    language,
    direction: words.direction,
    theme: themes ?? 'system',
    styles: branding === null ? '' : stylesOf(branding),
    noScript: words.frame.noScript,
    first,
  };
}

/** What the service runs. */
export const renderer: PageRenderer = {
  areaOf: (name) => pages[name].area ?? null,
  questionOf: (name, token, link, section, country) => pages[name].questionOf(token, link, section, country),
  render,
};
