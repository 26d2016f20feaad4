import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const model = {
  id: 'acme/large',
  name: 'large',
  provider: 'acme',
  isActive: true,
  hasOwnPrices: true,
  prices: [
    {
      upTo: null,
      classes: [
        { class: 'input', price: '2.5' },
        { class: 'output', price: '10' },
        { class: 'cache_read', price: '0.25' },
      ],
    },
  ],
};

const results = {
  aiModels: { nodes: [model] },
  aiModel: model,
};

describe("an AI model's own prices", () => {
  it('are marked in the list, and start with the current prices when they are set', async () => {
    const { user, sent } = await openDashboard('/ai-models', results);
    await screen.findByText('Your prices');
    await user.click(screen.getByRole('link', { name: 'acme/large' }));
    await user.click(await screen.findByRole('button', { name: 'Set your own prices' }));
    const sheet = await screen.findByRole('dialog', { name: 'Set your own prices' });
    const input = within(sheet).getByRole('textbox', { name: 'Input' });
    await user.clear(input);
    await user.type(input, '1.75');
    await user.click(within(sheet).getByRole('button', { name: 'Save prices' }));
    expect(sent).toEqual([
      {
        name: 'aiModelPriceSet',
        input: { id: 'acme/large', prices: { input: '1.75', output: '10', cacheRead: '0.25' } },
      },
    ]);
  });

  it('can be cleared', async () => {
    const { user, sent } = await openDashboard('/ai-models?open=acme%2Flarge', results);
    await user.click(await screen.findByRole('button', { name: 'Clear your prices' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Clear your prices of large?' });
    await user.click(within(dialog).getByRole('button', { name: 'Clear your prices' }));
    expect(sent).toEqual([{ name: 'aiModelPriceClear', input: { id: 'acme/large' } }]);
  });

  it('can belong to a model that the price list does not contain', async () => {
    const { user, sent } = await openDashboard('/ai-models?open=new', results);
    const sheet = await screen.findByRole('dialog', { name: 'New model' });
    await user.type(within(sheet).getByRole('textbox', { name: 'Model ID' }), 'acme/small');
    await user.type(within(sheet).getByRole('textbox', { name: 'Input' }), '0.1');
    const save = within(sheet).getByRole('button', { name: 'Save prices' });
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.type(within(sheet).getByRole('textbox', { name: 'Output' }), '0.4');
    await user.click(save);
    expect(sent).toEqual([
      { name: 'aiModelPriceSet', input: { id: 'acme/small', prices: { input: '0.1', output: '0.4' } } },
    ]);
  });
});

describe('a credit pack', () => {
  it('has a number of days for which purchased credits are valid', async () => {
    const pack = { id: 'cpk_1', name: 'Booster', credits: 500, price: 900, isActive: true, validDays: 30 };
    const { user, sent } = await openDashboard('/credit-packs?open=cpk_1', {
      creditPacks: { nodes: [pack] },
    });
    const days = await screen.findByRole('textbox', { name: /Valid for days/ });
    expect((days as HTMLInputElement).value).toBe('30');
    await user.clear(days);
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect(sent).toEqual([
      {
        name: 'creditPackUpdate',
        input: {
          id: 'cpk_1',
          name: 'Booster',
          description: null,
          credits: 500,
          price: 900,
          isActive: true,
          validDays: null,
          refundTakesBack: false,
        },
      },
    ]);
  });
});
