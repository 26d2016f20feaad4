import { renderToString } from 'preact-render-to-string';
import type { Messages } from '../generated/messages/pages.ts';
import { type Accent, accentOf } from '../ui/accent.ts';
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
import type { CatalogModule, First } from './start.tsx';
import type { Area } from './words/areas.ts';

// Renders the HTML of pages on the server, with the same components that the browser hydrates.

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

const files: Readonly<Record<string, CatalogModule<unknown>>> = import.meta.glob('./words/*/*.json', {
  eager: true,
});

/** Returns an area's messages in a language. Throws if the language has no file for the area. */
function wordsIn<Name extends keyof Messages>(language: string, area: Name): Messages[Name] {
  const module = files[`./words/${language}/${area}.json`];
  if (module === undefined) throw new Error(`There are no words of ${area} in ${language}.`);
  return module.default as Messages[Name];
}

const hasLanguage = (language: string): boolean => `./words/${language}/common.json` in files;

/** Returns the messages for this type of page only. */
const areaIn = (language: string, name: PageEntry['area']): Area | null =>
  name === undefined ? null : ({ name, words: wordsIn(language, name) } as Area);

const fonts = {
  system: null,
  serif: 'ui-serif, Georgia, Cambria, "Times New Roman", serif',
  rounded: 'ui-rounded, "SF Pro Rounded", "Arial Rounded MT Bold", Nunito, system-ui, sans-serif',
  mono: 'var(--font-code)',
} as const;

/** Returns the merchant's branding as CSS custom properties: accent color, contrasting text color, corner radius and font. */
function stylesOf({ accentColor, radius, font }: Branding): string {
  const accent = accentOf(accentColor);
  const rules = [
    ...(accent === null ? [] : accentRules(accent)),
    `--radius:${radius}px`,
    `--radius-xl:${Math.round(radius * 1.5)}px`,
    ...(fonts[font] === null ? [] : [`--font:${fonts[font]}`]),
  ];
  return `:root{${rules.join(';')}}`;
}

function accentRules({ light, dark }: NonNullable<ReturnType<typeof accentOf>>): string[] {
  const themed = (name: keyof Accent): string => `light-dark(${light[name]},${dark[name]})`;
  // The hover color moves away from the label's color, which increases the contrast.
  const away = ({ onFill }: Accent): string => (onFill === '#ffffff' ? '#000000' : '#ffffff');
  return [
    `--accent:${themed('fill')}`,
    `--accent-hover:color-mix(in srgb,${themed('fill')} 88%,light-dark(${away(light)},${away(dark)}))`,
    `--on-accent:${themed('onFill')}`,
    ...['--accent-text', '--focus'].map((name) => `${name}:${themed('text')}`),
  ];
}

/** Returns the query string with language, theme, sandbox and country, which links to other sections and languages preserve. */
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
  const tags = [look?.locale, link, accepted].map((each) => each?.replace('_', '-') ?? '');
  const language = tags.find(hasLanguage) ?? 'en';
  const document = wordsIn(language, 'document');
  const branding = look?.branding ?? null;
  const place = {
    name,
    token,
    section,
    search: searchOf(input),
    base,
    language,
    merchant: branding?.name ?? '',
  };
  const page = { ...place, words: wordsIn(language, 'common'), area: areaIn(language, entry.area) };
  const themes = [theme, branding?.theme].find((each) => each === 'light' || each === 'dark');
  const first: First = { ...place, answer };
  return {
    html: renderToString(<PageProvider value={page}>{entry.view(answer)}</PageProvider>),
    title: entry.titleOf(answer.data, page),
    language,
    direction: document.direction === 'rtl' ? 'rtl' : 'ltr',
    theme: themes ?? 'system',
    styles: branding === null ? '' : stylesOf(branding),
    hasOwnFont: branding !== null && fonts[branding.font] !== null,
    noScript: document.noScript,
    first,
  };
}

export const renderer: PageRenderer = {
  areaOf: (name) => pages[name].area ?? null,
  questionOf: (name, token, link, section, country) => pages[name].questionOf(token, link, section, country),
  render,
};
