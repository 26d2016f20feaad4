import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// Rules for browser code: import directions, strings only in catalogs, styles only in the kit, and small files.

const source = path.resolve(import.meta.dirname, '../src');
const files = ['dashboard', 'pages', 'ui']
  .flatMap((folder) =>
    readdirSync(path.join(source, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter((file) => /\.(?:tsx?|css|graphql)$/.test(file))
  .sort();
const text = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]));
const scripts = files.filter((file) => /\.tsx?$/.test(file));
const documents = files.filter((file) => file.endsWith('.graphql'));
const parts = scripts.filter((file) => file.endsWith('.tsx'));

/** A file's source code without comments. */
const code = (file: string): string =>
  (text.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

type Import = { readonly target: string; readonly isType: boolean };

/** Project files that a file imports, relative to `src`. */
const importsOf = (file: string): Import[] =>
  [
    ...(file.endsWith('.graphql') ? (text.get(file) ?? '') : code(file)).matchAll(
      /(?:import|export)\s+(type\s+)?[^;'"]*?from\s*'(\.[^']+)'|import\s*\(?\s*['"](\.[^'"]+)['"]/g,
    ),
  ].map(([, type, from, bare]) => ({
    target: path.join(path.dirname(file), from ?? bare ?? ''),
    isType: type !== undefined,
  }));

/** A file's top-level folder, such as `dashboard/kit`. */
const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** True if a server file can run in a browser: neither the file nor its imports use Node or Temporal. */
function isPure(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return true;
  seen.add(file);
  if (!file.startsWith('domain/')) return false;
  const body = readFileSync(path.join(source, file), 'utf8');
  if (/'node:|\bTemporal\b|\bBuffer\b|\bprocess\b/.test(body.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
    return false;
  return [...body.matchAll(/import (type )?[^;]*? from '([^']+)'/g)].every(
    ([, type, target = '']) =>
      type !== undefined || (target.startsWith('.') && isPure(path.join(path.dirname(file), target), seen)),
  );
}

/** Spanish words for things that a payer owns, used in messages that address only payers. */
const payersOwn = '|suscripción|tarjeta|pago|prueba|plan|cuenta|saldo|dirección';

/** Matches Spanish phrases that address the reader formally (usted), including possessives before one of the given words. */
const formalAddress = (owned: string): RegExp =>
  new RegExp(
    [
      '(?<!\\p{L})[Uu]sted(?:es)?(?!\\p{L})',
      `(?<!\\p{L})[Ss]us? (?:atención|banco|navegador|organización|producto|programa|rol|servidor|software${owned})(?!\\p{L})`,
      '(?:["\'`¿¡]|[.:;] )(?:Abra|Añada|Asegúrese|Cambie|Cobre|Compruebe|Corrija|Cree|Deje|Elija|Empiece|Envíe|Escriba|Haga|Inténtelo|Introduzca|Pague|Pegue|Póngase|Pulse|Quite|Quítel[ao]|Recargue|Revise|Revíselo|Seleccione|Utilice|Vea|Vuelva)(?!\\p{L})',
    ].join('|'),
    'gu',
  );

describe('browser code', () => {
  // React shows a fallback for at least 300 ms. `lazyPart` loads components without a fallback.
  it('uses no Suspense fallbacks', () => {
    const wrong = scripts.filter((file) => /\b(?:Suspense|lazy)\b[^;]*from 'react'/.test(code(file)));
    expect(wrong).toEqual([]);
  });

  it('imports only types and pure files from the server', () => {
    const wrong = scripts.flatMap((file) =>
      importsOf(file)
        .filter(
          ({ target, isType }) => !/^(?:dashboard|pages|ui)\//.test(target) && !isType && !isPure(target),
        )
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('imports only from lower folders, and keeps kit and data independent', () => {
    const above = ['dashboard/lists', 'dashboard/parts', 'dashboard/commands', 'dashboard/pages'];
    const forbidden: Readonly<Record<string, readonly string[]>> = {
      'dashboard/kit': ['dashboard/data', 'dashboard/shell', ...above],
      'dashboard/data': ['dashboard/kit', 'dashboard/shell', ...above],
      'dashboard/words': ['dashboard/kit', 'dashboard/data', 'dashboard/shell', ...above],
      'dashboard/shell': above,
      'dashboard/lists': above.slice(1),
      'dashboard/parts': above.slice(2),
      'dashboard/commands': above.slice(3),
    };
    const wrong = [...scripts, ...documents].flatMap((file) =>
      importsOf(file)
        .filter(({ target }) =>
          file.startsWith('ui/')
            ? /^(?:dashboard|pages)\//.test(target)
            : (forbidden[roomOf(file)] ?? []).includes(roomOf(target)),
        )
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("never imports from another page's folder", () => {
    /** A page's folder. For a file outside the page folders, the file itself. */
    const areaOf = (file: string): string =>
      file.startsWith('dashboard/pages/') ? file.split('/').slice(0, 3).join('/') : file;
    const crossing = [...scripts, ...documents].flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith('dashboard/pages/') && areaOf(target) !== areaOf(file))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(crossing.filter((each) => !each.startsWith('dashboard/page-modules.ts '))).toEqual([]);
  });

  it('never imports between the dashboard and the hosted pages', () => {
    const wrong = scripts.flatMap((file) =>
      importsOf(file)
        .map(({ target }) => target.split('/')[0])
        .filter((folder) => folder !== file.split('/')[0] && /^(?:dashboard|pages)$/.test(folder ?? ''))
        .map((folder) => `${file} imports ${folder}`),
    );
    expect(wrong).toEqual([]);
  });

  it('loads pages only from the list of page modules', () => {
    const wrong = scripts.filter(
      (file) => file !== 'dashboard/page-modules.ts' && /import\(\s*'[^']*\/pages\//.test(code(file)),
    );
    expect(wrong).toEqual([]);
    // Another import would create a cycle through all pages, because pages link to each other.
    const importers = scripts.filter((file) =>
      importsOf(file).some(({ target }) => target === 'dashboard/page-modules.ts'),
    );
    expect(importers).toEqual(['dashboard/router.tsx']);
  });

  it('contains no user-facing text outside the message catalogs', () => {
    const wrong = parts.flatMap((file) => {
      if (file.includes('/gallery/')) return [];
      const inElements = [
        ...code(file).matchAll(/<[A-Za-z][^<>]*(?<!=)>\s*([^<>{}()=;]*\p{L}{2,}[^<>{}()=;]*)<\//gu),
      ];
      const inAttributes = [
        ...code(file).matchAll(
          /\s(?:aria-label|title|label|placeholder|alt|help|description)="([^"]*\p{L}[^"]*)"/gu,
        ),
      ];
      return [...inElements, ...inAttributes].map(([, words]) => `${file}: ${words?.trim()}`);
    });
    expect(wrong).toEqual([]);
  });

  // "Su" can also mean "his" or "her", so the pattern matches it only before words for things that the reader owns.
  it('addresses readers informally in Spanish', () => {
    const emails = 'modules/messages/emails/templates';
    const messageFiles = (folder: string): string[] =>
      readdirSync(path.join(source, folder)).map((file) => `${folder}/${file}`);
    const places: readonly [prefix: string, files: readonly string[], owned: string][] = [
      ['dashboard', messageFiles('dashboard/words/es'), ''],
      ['pages', messageFiles('pages/words/es'), payersOwn],
      [emails, readdirSync(path.join(source, emails)).map((file) => `${emails}/${file}`), payersOwn],
    ];
    const wrong = places.flatMap(([place, found, owned]) => {
      expect(found.length, place).toBeGreaterThan(5);
      const formal = formalAddress(owned);
      return found.flatMap((file) =>
        [...readFileSync(path.join(source, file), 'utf8').matchAll(formal)].map(
          ([words]) => `${file}: ${words}`,
        ),
      );
    });
    expect(wrong).toEqual([]);
    expect('Use la que usted elige'.match(formalAddress(''))).toEqual(['usted']);
    expect("'Revíselo. Añada su rol. Quite la suya'".match(formalAddress(''))).toEqual([
      "'Revíselo",
      '. Añada',
      'su rol',
      '. Quite',
    ]);
    expect('Complete su suscripción'.match(formalAddress(payersOwn))).toEqual(['su suscripción']);
  });

  it('has styles only in the kit and the shell, and inline styles only in grids and charts', () => {
    const pages = scripts.filter((file) => file.startsWith('dashboard/pages/'));
    expect(pages.filter((file) => /className=|\sstyle=|\.css'/.test(code(file)))).toEqual([]);
    // Charts and grids set positions and CSS variables that a class can't express.
    const inline = parts.filter((file) => /\sstyle=/.test(code(file)) && !file.startsWith('dashboard/kit/'));
    expect(inline).toEqual([]);
    expect(scripts.filter((file) => /dangerouslySetInnerHTML|\beval\(/.test(code(file)))).toEqual([]);
  });

  it('uses every class in its style sheets', () => {
    const wrong = files
      .filter((file) => file.endsWith('.module.css'))
      .flatMap((file) => {
        const users = scripts.filter((each) => importsOf(each).some(({ target }) => target === file));
        const name = path.basename(file).replaceAll('.', '\\.');
        const objects = users.map(
          (user) => new RegExp(`import (\\w+) from '[^']*${name}'`).exec(code(user))?.[1],
        );
        const used = users.map(code).join('\n');
        const classes = new Set(
          [...(text.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(
            ([, name = '']) => name,
          ),
        );
        return [...classes]
          .filter((each) => !new RegExp(`(?:${objects.join('|')})(?:\\.${each}\\b|\\[)`).test(used))
          .map((each) => `${file} .${each}`);
      });
    expect(wrong).toEqual([]);
  });

  it('contains at most 300 lines per file', () => {
    const long = scripts.filter(
      (file) =>
        !/^(?:dashboard|pages)\/words\//.test(file) && (text.get(file) ?? '').split('\n').length > 300,
    );
    expect(long).toEqual([]);
  });
});
