import { readFileSync } from 'node:fs';
import { Quittance } from '../../sdk/index.ts';
import { loginInBrowser } from '../device-login.ts';
import { UsageError } from '../output.ts';
import { command, environmentOf, readOrganization, type Session } from '../session.ts';
import { deleteSettings, settingsFile, writeSettings } from '../settings.ts';

export const provision = command({
  description: 'Create an organization without an account, and store its sandbox key.',
  isOpen: true,
  args: {
    name: { type: 'string', default: 'My organization', description: 'Name of the organization.' },
    country: { type: 'string', default: 'US', description: 'Country as an ISO 3166-1 alpha-2 code.' },
    'business-type': { type: 'string', default: 'software', description: 'Type of business.' },
  },
  run: async ({ client, baseUrl, settings, print }, args) => {
    const organization = await client.provision.create({
      name: args.name,
      country: args.country,
      businessType: args['business-type'],
    });
    writeSettings({ ...settings, baseUrl, apiKey: organization.sandboxApiKey });
    print(
      organization,
      [
        `Created ${organization.name} (${organization.id}).`,
        `The sandbox key is stored in ${settingsFile()}.`,
        `Live key, shown only once: ${organization.liveApiKey}`,
        `Claim the organization: ${organization.claimUrl}`,
      ].join('\n'),
    );
  },
});

/** Signs in with a key: reads the organization of the key, and stores the key. */
async function loginWithKey({ baseUrl, settings, print }: Session, given: string): Promise<void> {
  const apiKey = (given === '-' ? readFileSync(0, 'utf8') : given).trim();
  if (!/^ck_(live|sandbox)_\S+$/.test(apiKey))
    throw new UsageError('An API key starts with ck_live_ or ck_sandbox_.');
  const organization = await readOrganization(new Quittance({ baseUrl, apiKey }));
  writeSettings({ ...settings, baseUrl, apiKey });
  print(organization, `Signed in to ${organization.name} (${environmentOf(organization)}).`);
}

export const login = command({
  description:
    'Sign in with the browser, and store an API key that expires in 90 days. With --api-key, store that key; - reads it from the standard input.',
  isOpen: true,
  args: {
    browser: {
      type: 'boolean',
      default: true,
      description: 'Open the browser.',
      negativeDescription: 'Print the address without opening the browser.',
    },
    name: { type: 'string', description: 'Name of the API key. Defaults to the name of the machine.' },
  },
  run: async (session, args) => {
    if (args['api-key'] !== undefined) return loginWithKey(session, String(args['api-key']));
    const { baseUrl, settings, print } = session;
    const key = await loginInBrowser(session, { machineName: args.name, opensBrowser: args.browser });
    writeSettings({ ...settings, baseUrl, apiKey: key.apiKey });
    const { apiKey: _secret, ...shown } = key;
    print(
      shown,
      [
        `Signed in to ${key.organizationName} (${environmentOf(key)}).`,
        `The API key "${key.name}" is stored in ${settingsFile()}. It expires on ${key.expiresAt.slice(0, 10)}.`,
        ...(key.livemode ? ['Commands with this key require --live.'] : []),
      ].join('\n'),
    );
  },
});

export const logout = command({
  description: 'Delete the stored settings. The API key remains valid.',
  isOpen: true,
  run: ({ print }) => {
    deleteSettings();
    print({ deleted: settingsFile() }, `Deleted ${settingsFile()}.`);
  },
});

export const whoami = command({
  description: 'Show the organization and the environment of the API key.',
  run: async (session) => {
    const organization = await readOrganization(session.client);
    session.print(
      organization,
      `${organization.name} (${organization.id}), ${environmentOf(organization)}, ${session.baseUrl}`,
    );
  },
});
