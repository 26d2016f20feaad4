import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../../src/modules/organization/provisioning/bootstrap.ts';
import { issueNamedClaimLink } from '../../../../src/modules/organization/provisioning/issue-claim-link.ts';
import { fixedClock } from '../../../../src/platform/clock.ts';
import { parseConfig } from '../../../../src/platform/config.ts';
import { findKeys } from '../../../../src/platform/credentials.ts';
import { hashSecret } from '../../../../src/platform/secrets.ts';
import { freshDatabase } from '../../../support/template.ts';

const wall = fixedClock(new Date('2026-03-01T08:00:00.000Z'));
const provided = 'ck_sandbox_0123456789abcdef';

describe('bootstrap', () => {
  let parts: Awaited<ReturnType<typeof freshDatabase>>;
  // Runs only the startup step that creates the first keys, with the same settings as a full startup.
  const start = (env: Record<string, string>) =>
    bootstrap({ config: parseConfig(env), database: parts.database, wall });
  const count = async (table: string): Promise<number> => {
    const [row] = await parts.database.query<{ n: bigint }>(`SELECT count(*) AS n FROM "${table}"`);
    return Number(row?.n);
  };

  beforeAll(async () => {
    parts = await freshDatabase();
  });
  afterAll(async () => {
    await parts.database.close();
    await parts.drop();
  });

  it('creates an organization with keys once in an empty database, even if two processes start at the same time', async () => {
    const answers = await Promise.all([start({}), start({})]);
    const [made, ...more] = answers.filter((answer) => answer !== null);
    expect(more).toEqual([]);
    expect(made).toEqual({
      organizationId: expect.stringMatching(/^org_/),
      keys: {
        sandboxKey: expect.stringMatching(/^ck_sandbox_/),
        liveKey: expect.stringMatching(/^ck_live_/),
      },
      claim: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4000\/claim\/[A-Za-z0-9_-]{43}$/),
        expiresAt: new Date('2026-03-08T08:00:00.000Z'),
      },
    });
    const { database } = parts;
    expect(await (await findKeys(database, [hashSecret(made?.keys?.sandboxKey ?? '')]))[0]).toMatchObject({
      environment: { organizationId: made?.organizationId, livemode: false },
    });
    expect(await (await findKeys(database, [hashSecret(made?.keys?.liveKey ?? '')]))[0]).toMatchObject({
      environment: { organizationId: made?.organizationId, livemode: true },
    });
    expect(await start({})).toBeNull();
    expect(await count('Organization')).toBe(1);
  });

  it('creates an organization once, with the configured key and a claim link but no other secret', async () => {
    const env = { BOOTSTRAP_API_KEY: provided };
    const [made, ...more] = (await Promise.all([start(env), start(env)])).filter((answer) => answer !== null);
    expect(more).toEqual([]);
    expect(made).toEqual({
      organizationId: expect.stringMatching(/^org_/),
      keys: null,
      claim: {
        url: expect.stringMatching(/\/claim\/[A-Za-z0-9_-]{43}$/),
        expiresAt: new Date('2026-03-08T08:00:00.000Z'),
      },
    });
    expect(await start(env)).toBeNull();
    expect(await count('Organization')).toBe(2);
    expect(await count('ApiKey')).toBe(3);
    expect(await (await findKeys(parts.database, [hashSecret(provided)]))[0]).toEqual({
      key: {
        id: expect.stringMatching(/^key_/),
        scopes: ['read', 'write', 'finance', 'keys'],
        expiresAt: null,
        lastUsedAt: null,
        permissions: [],
        policy: null,
      },
      environment: {
        id: expect.stringMatching(/^env_/),
        organizationId: expect.stringMatching(/^org_/),
        organizationName: 'Bootstrap organization',
        livemode: false,
        pinnedVersion: null,
        cardPromotions: false,
        limitsCallers: false,
        isProvisioned: false,
        organizationCountry: null,
        simulatedTime: null,
      },
    });
  });

  it('creates two environments per organization, each with counters and leases, and a test clock in the sandbox', async () => {
    expect(await count('Environment')).toBe(4);
    expect(await count('EnvironmentCounter')).toBe(4);
    expect(await count('EnvironmentLease')).toBe(4);
    expect(await count('TestClock')).toBe(2);
    expect(await count('OrganizationClaim')).toBe(2);
  });

  it('lets the operator replace the claim link of the oldest organization or of a specific organization', async () => {
    const deps = { config: parseConfig({}), database: parts.database, wall };
    const { prisma } = parts.database;
    const before = await prisma.organizationClaim.findMany({ orderBy: { tokenHash: 'asc' } });
    const bootstrapped = await prisma.organization.findFirstOrThrow({
      where: { name: 'Bootstrap organization' },
    });
    const oldest = await issueNamedClaimLink(deps, null);
    const named = await issueNamedClaimLink(deps, bootstrapped.id);
    expect([oldest?.name, named?.name].sort()).toEqual(['Bootstrap organization', 'My organization']);
    const after = await prisma.organizationClaim.findMany();
    expect(after.map(({ tokenHash }) => tokenHash).sort()).toEqual(
      [oldest, named].map((issued) => hashSecret(issued?.link.url.split('/').at(-1) ?? '')).sort(),
    );
    expect(after).toHaveLength(before.length);
    expect(await issueNamedClaimLink(deps, 'org_none')).toBeNull();
  });
});
