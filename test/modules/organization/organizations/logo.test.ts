import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPicture } from '../../../../src/modules/organization/organizations/read-picture.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { jpeg, png, uprightJpeg, webps } from '../../../support/pictures.ts';
import { rejection } from '../../../support/refusals.ts';

// Organization logos, which the installation stores and serves.

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Logo = {
  readonly logoUrl: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
};

const set =
  'mutation ($input: OrganizationLogoSetInput!) { organizationLogoSet(input: $input) { logoUrl logoWidth logoHeight } }';
const inputOf = (image: Buffer | null) => ({ input: { image: image?.toString('base64') ?? null } });
const store = async (image: Buffer | null): Promise<Logo> =>
  (await t.graphql<{ organizationLogoSet: Logo }>(set, inputOf(image), { key: t.liveKey }))
    .organizationLogoSet;
const stored = async (): Promise<Logo> =>
  (await t.graphql<{ organization: Logo }>('{ organization { logoUrl logoWidth logoHeight } }')).organization;
const nothing: Logo = { logoUrl: null, logoWidth: null, logoHeight: null };

test("an organization's logo is served with its content type, and gets a new URL after a replacement", async () => {
  const picture = png(300, 80);
  const first = (await store(picture)).logoUrl ?? '';
  expect(first).toMatch(new RegExp(`^${t.app.config.publicUrl}/logos/lgo_\\w+$`));
  const answer = await fetch(first);
  expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true);
  expect(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'].map((name) =>
      answer.headers.get(name),
    ),
  ).toEqual(['image/png', 'nosniff', "default-src 'none'; sandbox", 'public, max-age=31536000, immutable']);
  const second = (await store(webps.lossy)).logoUrl ?? '';
  expect([(await fetch(first)).status, (await fetch(second)).headers.get('content-type')]).toEqual([
    404,
    'image/webp',
  ]);
  expect(await store(null)).toEqual(nothing);
  expect((await fetch(second)).status).toBe(404);
});

test.each([
  ['a PNG', png(300, 80), 300, 80],
  ['the widest PNG', png(4_096, 1), 4_096, 1],
  ['the largest PNG', png(2_048, 2_048), 2_048, 2_048],
  ['a JPEG', jpeg, 60, 40],
  ['a JPEG with portrait orientation', uprightJpeg, 40, 60],
  ['a lossy WebP', webps.lossy, 60, 40],
  ['a lossless WebP', webps.lossless, 60, 40],
  ['an extended WebP', webps.extended, 60, 40],
])(
  "an organization's logo is stored with the dimensions of %s",
  async (_what, image, logoWidth, logoHeight) => {
    expect(await store(image)).toMatchObject({ logoWidth, logoHeight });
    expect(await stored()).toMatchObject({ logoWidth, logoHeight });
  },
);

test.each([
  [
    'is an SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'must be a PNG, JPEG, or WebP image',
  ],
  ['is a GIF', Buffer.from('GIF89a'), 'must be a PNG, JPEG, or WebP image'],
  [
    'has too many bytes',
    Buffer.concat([png(1, 1), Buffer.alloc(200 * 1_024)]),
    'must be at most 204800 bytes',
  ],
  ['is a PNG without its size', png(300, 80).subarray(0, 18), 'must be a PNG, JPEG, or WebP image'],
  ['is a PNG without a valid header', png(300, 80).fill(7, 8), 'must be a PNG, JPEG, or WebP image'],
  ['is a JPEG that ends before its size', jpeg.subarray(0, 140), 'must be a PNG, JPEG, or WebP image'],
  ['is a WebP that ends before its size', webps.lossy.subarray(0, 24), 'must be a PNG, JPEG, or WebP image'],
  ['has no width', png(0, 80), 'must be 1 to 4096 pixels wide and high'],
  ['is too wide', png(4_097, 1), 'must be 1 to 4096 pixels wide and high'],
  ['is too high', png(1, 2 ** 31), 'must be 1 to 4096 pixels wide and high'],
  // An image of a few hundred bytes that a browser would decode to 48 MB.
  ['has too many pixels', png(4_096, 3_000), 'must have at most 4194304 pixels'],
])("an organization's logo can't be replaced with an image that %s", async (_what, image, message) => {
  const before = await store(png(30, 8));
  expect(await rejection(t, set, inputOf(image), { key: t.liveKey })).toMatchObject({
    code: 'validation_error',
    details: [{ field: 'image', message }],
  });
  expect(await stored()).toEqual(before);
});

test("an organization's logo must be in Base64, and can be changed only by an admin", async () => {
  expect((await rejection(t, set, { input: { image: 'no base64!' } }, { key: t.liveKey })).code).toBe(
    'validation_error',
  );
  const member = await memberOf(t, t.organizationId, 'member');
  expect((await rejection(t, set, inputOf(png(1, 1)), { key: null, headers: member.headers })).code).toBe(
    'forbidden',
  );
});

test("an organization's logo can't be changed with a sandbox key (PLT-4a)", async () => {
  const before = await store(png(30, 8));
  expect((await rejection(t, set, inputOf(png(60, 8)))).code).toBe('forbidden');
  expect(await stored()).toEqual(before);
});

test("an organization's logo on another host has no stored dimensions", async () => {
  await store(png(30, 8));
  await t.settings({ name: 'Quarry' });
  expect(await stored()).toMatchObject({ logoWidth: 30, logoHeight: 8 });
  const logoUrl = 'https://quarry.test/logo.png';
  await t.settings({ logoUrl });
  expect(await stored()).toEqual({ ...nothing, logoUrl });
});

test("a truncated or damaged logo is rejected if its dimensions can't be read", () => {
  const outcomes = new Set<string>();
  const read = (image: Buffer): void => {
    try {
      const { width, height } = readPicture(image.toString('base64'));
      outcomes.add(
        Number.isSafeInteger(width) && Number.isSafeInteger(height) ? 'size' : `${width} ${height}`,
      );
    } catch (error) {
      outcomes.add(String((error as { code?: unknown }).code));
    }
  };
  for (const image of [png(300, 80), uprightJpeg, ...Object.values(webps)])
    for (let at = 1; at < image.length; at += 1) {
      read(image.subarray(0, at));
      const damaged = Buffer.from(image);
      damaged[at] = 255 - (image[at] ?? 0);
      read(damaged);
    }
  expect([...outcomes].sort()).toEqual(['size', 'validation_error']);
});
