import { readFileSync } from 'node:fs';
import { Quittance } from '../../sdk/index.ts';
import { UsageError } from '../output.ts';
import { command, environmentOf, readOrganization } from '../session.ts';
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

export const login = command({
  description: 'Store an API key. Without --api-key, the key is read from the standard input.',
  isOpen: true,
  run: async (session, args) => {
    const given = args['api-key'] ?? readFileSync(0, 'utf8');
    const apiKey = String(given).trim();
    if (!/^ck_(live|sandbox)_\S+$/.test(apiKey))
      throw new UsageError('An API key starts with ck_live_ or ck_sandbox_.');
    const { baseUrl, settings, print } = session;
    const organization = await readOrganization(new Quittance({ baseUrl, apiKey }));
    writeSettings({ ...settings, baseUrl, apiKey });
    print(organization, `Signed in to ${organization.name} (${environmentOf(organization)}).`);
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
