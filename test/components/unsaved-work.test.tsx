import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type OpenDashboard, openDashboard } from './support/dashboard.tsx';
import { Rejection, type Results } from './support/network.ts';

const connection = (...nodes: readonly object[]) => ({ nodes, edges: nodes.map((node) => ({ node })) });

const plan = {
  id: 'pln_1',
  name: 'Pro',
  code: 'pro',
  consumptionModel: 'metered',
  isPublic: true,
  prices: [{ id: 'prc_1', price: 4_900, billingInterval: 'monthly', isDefault: true }],
};

type Form = {
  readonly form: string;
  readonly path: string;
  /** Button that opens the form if the URL doesn't open it. */
  readonly button?: string;
  /** Field to fill in. If the form has several fields, this isn't the name. */
  readonly field: string | RegExp;
  readonly results?: Results;
};

const offer = {
  id: 'off_1',
  name: 'A fifth off',
  active: true,
  phases: [{ __typename: 'OfferPercentagePhase', percentage: 2_000, durationCycles: 3 }],
};

const customer = { id: 'cus_1', fullName: 'Ada', email: 'ada@example.com', timezone: 'UTC', metadata: {} };

const forms: readonly Form[] = [
  { form: 'an add-on', path: '/add-ons?open=new', field: /^Description/ },
  { form: 'a credit pack', path: '/credit-packs?open=new', field: /^Description/ },
  { form: 'a feature', path: '/features?open=new', field: /^Description/ },
  { form: 'a market', path: '/markets?open=new', field: 'Name' },
  {
    form: 'a plan group',
    path: '/plans',
    button: 'New group',
    field: /^Description/,
    results: { plans: connection(plan) },
  },
  { form: 'a pricing table', path: '/pricing-tables?open=new', field: /^Sign-up page/ },
  { form: 'an offer', path: '/offers?open=new', field: 'Name' },
  {
    form: 'a card promotion',
    path: '/card-promotions?open=new',
    field: /^BINs/,
    results: { offers: connection(offer), organization: { id: 'org_1', cardPromotions: true } },
  },
  { form: 'a promo code', path: '/promo-codes?open=new', field: 'Code' },
  { form: 'a customer', path: '/customers?open=new', field: /^Tax ID/ },
  { form: 'an import of customers', path: '/customers?open=import', field: 'CSV table' },
  { form: 'an API key', path: '/api-keys?new=yes', field: 'Name' },
  { form: 'a webhook endpoint', path: '/webhooks?new=yes', field: 'Description' },
  { form: 'a payment link', path: '/payment-links?open=new', field: /^Description/ },
  { form: 'a tax registration', path: '/settings/taxes', button: 'Add registration', field: /^State/ },
  { form: 'a command', path: '/customers/cus_1?do=creditCreate', field: 'Reason', results: { customer } },
];

const type = async ({ user }: OpenDashboard, field: string | RegExp, text: string) => {
  const input = await screen.findByLabelText(field);
  // A dialog moves the focus to its first field after it opens, and would take the focus from the clicked field.
  const dialog = input.closest('[role="dialog"]');
  if (dialog !== null) await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.click(input);
  await waitFor(() => expect(document.activeElement).toBe(input));
  await user.paste(text);
  return input;
};

const isGone = (role: string) => waitFor(() => expect(screen.queryByRole(role)).toBeNull());

const isClosing = (): boolean => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

describe('the dashboard with unsaved work', () => {
  it.each(forms)('asks for confirmation before it closes the form for $form', async (form) => {
    const { path, button, field, results } = form;
    const dashboard = await openDashboard(path, results);
    if (button !== undefined) await dashboard.user.click(await screen.findByRole('button', { name: button }));
    const input = await type(dashboard, field, '12');
    await dashboard.user.keyboard('{Escape}');
    await dashboard.choose('Keep editing');
    await isGone('alertdialog');
    expect(input).toHaveProperty('value', expect.stringContaining('12'));
    await dashboard.user.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    await dashboard.choose('Discard changes');
    await isGone('dialog');
    expect(dashboard.sent).toEqual([]);
  });

  it('asks for confirmation before it leaves a settings page or closes the tab', async () => {
    const dashboard = await openDashboard('/settings/organization', {
      organization: { id: 'org_1', name: 'Acme', language: 'en' },
    });
    const { user, choose } = dashboard;
    expect(isClosing()).toBe(true);
    const name = await type(dashboard, /^Name/, ' Ltd');
    expect(name).toHaveProperty('value', 'Acme Ltd');
    expect(isClosing()).toBe(false);
    const customers = screen.getAllByRole('link', { name: 'Customers' })[0] ?? document.body;
    await user.click(customers);
    await choose('Keep editing');
    await isGone('alertdialog');
    expect([location.pathname, name]).toEqual([
      '/dashboard/sandbox/settings/organization',
      expect.objectContaining({ value: 'Acme Ltd' }),
    ]);
    await user.click(customers);
    await choose('Discard changes');
    await screen.findByRole('heading', { name: 'Customers', level: 1 });
    expect(isClosing()).toBe(true);
  });

  it('closes a saved form without asking for confirmation', async () => {
    const dashboard = await openDashboard('/credit-packs?open=new');
    const { user, sent } = dashboard;
    await type(dashboard, 'Name', 'Thousand');
    const price = await type(dashboard, /^Price/, '25');
    await user.tab();
    expect(price).toHaveProperty('value', '25.00');
    expect(isClosing()).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Create credit pack' }));
    await isGone('dialog');
    expect([sent, isClosing()]).toEqual([
      [
        {
          name: 'creditPackCreate',
          input: {
            name: 'Thousand',
            description: null,
            credits: 1_000,
            price: 2_500,
            validDays: null,
            refundTakesBack: false,
            isActive: true,
          },
        },
      ],
      true,
    ]);
  });

  it("keeps a rejected form's values, and shows the error next to its field", async () => {
    const dashboard = await openDashboard('/features?open=new', {
      featureCreate: new Rejection('validation_error', 'Check the input.', [
        { field: 'code', message: 'is already used' },
      ]),
    });
    const { user, choose } = dashboard;
    await type(dashboard, 'Name', 'API calls');
    await user.click(screen.getByRole('button', { name: 'Create feature' }));
    await screen.findByText('is already used');
    await user.keyboard('{Escape}');
    await choose('Discard changes');
    await isGone('dialog');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('compares all fields with the stored values', async () => {
    const pack = {
      id: 'pck_1',
      name: 'Thousand',
      description: 'Small',
      credits: 1_000,
      price: 2_500,
      isActive: true,
    };
    const dashboard = await openDashboard('/credit-packs?open=pck_1', { creditPacks: connection(pack) });
    const { user } = dashboard;
    const save = await screen.findByRole('button', { name: /^Save/ });
    expect(save).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('switch', { name: /^Available/ }));
    expect(save).toHaveProperty('disabled', false);
    await user.click(screen.getByRole('switch', { name: /^Available/ }));
    expect(save).toHaveProperty('disabled', true);
    await user.keyboard('{Escape}');
    await isGone('dialog');
  });

  it('asks for confirmation before it leaves the plan editor', async () => {
    const dashboard = await openDashboard('/plans/pln_1', { plan });
    const { user, choose } = dashboard;
    await type(dashboard, 'Name', ' 2');
    await screen.findByText('1 unsaved change');
    const customers = screen.getAllByRole('link', { name: 'Customers' })[0] ?? document.body;
    await user.click(customers);
    await choose('Keep editing');
    await screen.findByText('1 unsaved change');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(customers);
    await screen.findByRole('heading', { name: 'Customers', level: 1 });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
