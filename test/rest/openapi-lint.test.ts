import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openApiOf } from '../../src/rest/openapi.ts';
import { schema } from '../../src/schema.ts';
import { problemsIn } from '../support/json-schema.ts';

// Checks the OpenAPI document with two popular linters, and its examples against its schemas.

const document = openApiOf(schema, 'https://billing.example');
const source = JSON.stringify(document);

const { '@stoplight/spectral-core': core, '@stoplight/spectral-rulesets': rulesets } =
  packageJson.devDependencies;
const documentKey = createHash('sha256').update([core, rulesets, source].join('\n')).digest('hex');

/**
 * Path of a file that exists if this document has already passed this version of Spectral. Spectral takes longer than all other tests of
 * the document combined.
 */
const passedFile = path.join(import.meta.dirname, '../../.cache', `spectral-${documentKey.slice(0, 16)}`);

async function spectralFindings(): Promise<string[]> {
  if (existsSync(passedFile)) return [];
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
  const findings = await spectral.run(source);
  if (findings.length === 0) {
    mkdirSync(path.dirname(passedFile), { recursive: true });
    writeFileSync(passedFile, '');
  }
  return findings.map(({ code, path: place, message }) => `${code} ${place.join('.')} ${message}`);
}

describe('the OpenAPI document', () => {
  test('passes the recommended rules of Spectral without warnings', async () => {
    expect(await spectralFindings()).toEqual([]);
  });

  test('passes the strict rules of Redocly without warnings', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const findings = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(
      findings.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer} ${message}`),
    ).toEqual([]);
  });
});

/** Yields every object in a value, with its path. */
function* objectsIn(value: unknown, place = ''): Generator<readonly [string, object]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value];
  for (const [name, part] of Object.entries(value)) yield* objectsIn(part, `${place}/${name}`);
}

describe('the structure of the OpenAPI document', () => {
  test('never contains properties next to a reference', () => {
    const places = [...objectsIn(document)].flatMap(([place, part]) =>
      '$ref' in part && Object.keys(part).length > 1 ? [place] : [],
    );
    expect(places).toEqual([]);
  });

  test('never contains two paths that match a URL equally well', () => {
    const paths = Object.keys(document.paths).map((path) => path.split('/'));
    const isParameter = (part = '') => part.startsWith('{');
    const isAmbiguous = (one: readonly string[], other: readonly string[]): boolean =>
      one.length === other.length &&
      one.every((part, index) => part === other[index] || isParameter(part) || isParameter(other[index])) &&
      one.some((part, index) => isParameter(part) && !isParameter(other[index])) &&
      other.some((part, index) => isParameter(part) && !isParameter(one[index]));
    const pairs = paths.flatMap((one, index) =>
      paths
        .slice(index + 1)
        .flatMap((other) => (isAmbiguous(one, other) ? [`${one.join('/')} ${other.join('/')}`] : [])),
    );
    expect(pairs).toEqual([]);
  });

  test('includes a description for every tag and every parameter', () => {
    expect(document.tags.filter(({ description }) => String(description ?? '').length < 20)).toEqual([]);
    const undescribed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters }) =>
        parameters
          .filter((parameter) => parameter['$ref'] === undefined && !parameter['description'])
          .map(({ name }) => `${path} ${String(name)}`),
      ),
    );
    expect(undescribed).toEqual([]);
  });
});

type Media = { readonly schema: object; readonly example: unknown };
type Holder = { readonly content?: { readonly 'application/json': Media } };

const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
    const holders: [string, Holder][] = [
      ...(requestBody === undefined ? [] : [['body', requestBody] as [string, Holder]]),
      ...(Object.entries(responses) as [string, Holder][]),
    ];
    return holders.map(
      ([place, holder]) =>
        [`${method.toUpperCase()} ${path} ${place}`, holder.content?.['application/json']] as const,
    );
  }),
);

describe('an example in the OpenAPI document', () => {
  const problems = problemsIn(document);

  test("exists for every request and response body, and matches the body's schema", () => {
    const wrong = bodies.flatMap(([name, media]) => {
      // Streams aren't JSON, so test/modules/exports/exports/stream-docs.test.ts tests them.
      if (name === 'GET /exports/stream 200') return [];
      if (media?.example === undefined) return [`${name} has none`];
      return problems(media.schema, media.example).map((problem) => `${name}: ${problem}`);
    });
    expect(wrong).toEqual([]);
    expect(bodies.length).toBeGreaterThan(300);
  });

  test('shows realistic data for a customer and for an error', () => {
    const [, media] = bodies.find(([name]) => name === 'POST /customers 201') ?? [];
    expect(media?.example).toMatchObject({
      object: 'customer',
      email: 'ada@example.com',
      timezone: 'Europe/Berlin',
    });
    const [, rejected] = bodies.find(([name]) => name === 'GET /customers/{id} 404') ?? [];
    expect(rejected?.example).toEqual({
      error: {
        type: 'not_found_error',
        code: 'customer_not_found',
        message: "The customer doesn't exist in this environment.",
        doc_url: 'https://billing.example/docs/api-reference/2026-08-27/errors/customer_not_found.md',
      },
    });
  });
});
