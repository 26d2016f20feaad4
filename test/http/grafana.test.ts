import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApp } from '../support/harness.ts';

// Every metric that the Grafana dashboard and the alerting rules query must exist.

type Dashboard = { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] };

const file = new URL('../../docs/monitoring/grafana.json', import.meta.url);
const alerts = readFileSync(new URL('../../docs/monitoring/alerts.yaml', import.meta.url), 'utf8');
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as Dashboard;

test('the service reports every metric that the Grafana dashboard and the alerting rules use', async () => {
  const t = await startApp();
  // Metrics about request outcomes exist only after the first request.
  await fetch(`${t.url}/healthz`);
  const text = await (await fetch(`${t.url}/metrics`)).text();
  const reported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets).map(({ expr }) => expr),
    ...[...alerts.matchAll(/expr: (.+)$/gm)].map(([, expr]) => expr ?? ''),
  ];
  const asked = expressions
    .flatMap((expr) => [
      ...expr.matchAll(/\b((?:quittance|process|nodejs)_\w+?)(?:_bucket|_count)?(?=[{[) ])/g),
    ])
    .map(([, name]) => name);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !reported.has(name))).toEqual([]);
  await t.close();
});
