import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { openApiOf } from '../../src/rest/openapi.ts';
import { schema } from '../../src/schema.ts';
import { problemsIn } from '../support/json-schema.ts';

// The document against the rules of the two linters people use, and its examples against its own schemas.

const document = openApiOf(schema, 'https://billing.example');
const source = JSON.stringify(document);

/** What the linters may say, each with the reason. */
const allowed: readonly { readonly finding: RegExp; readonly reason: string }[] = [
  {
    finding:
      /^(operation-success-response|operation-2xx-response) .*(process-billing|payouts~1verification|payouts.verification)/,
    reason: 'A retired route: it answers 410 to everybody and has no success.',
  },
  {
    finding: /^tag-description /,
    reason: 'Tags are the first segment of the path; the operations under them say what they do.',
  },
];

const unexpected = (findings: readonly string[]): string[] =>
  findings.filter((text) => !allowed.some(({ finding }) => finding.test(text)));

describe('the document passes, without errors and warnings,', () => {
  test('the recommended rules of Spectral', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
    const findings = await spectral.run(source);
    expect(
      unexpected(findings.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`)),
    ).toEqual([]);
  });

  test('the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(
      unexpected(
        findings.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer} ${message}`),
      ),
    ).toEqual([]);
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

describe('examples', () => {
  const problems = problemsIn(document);

  test('stand beside every body, and fit its schema', () => {
    const wrong = bodies.flatMap(([name, media]) => {
      if (media?.example === undefined) return [`${name} has none`];
      return problems(media.schema, media.example).map((problem) => `${name}: ${problem}`);
    });
    expect(wrong).toEqual([]);
    expect(bodies.length).toBeGreaterThan(300);
  });

  test('show things as they are called', () => {
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
        message: 'The customer is unknown in this organization and mode.',
        doc_url: 'https://billing.example/docs/api-reference/2026-08-27/errors/customer_not_found.md',
      },
    });
  });
});
