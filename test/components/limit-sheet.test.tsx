import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

// Action in the form for a limit: which actions a measure offers, and which action the form sends.

const connection = (...nodes: readonly object[]) => ({ nodes, edges: nodes.map((node) => ({ node })) });

/** Opens the form for a template. */
async function openForm() {
  const seats = { id: 'ft_1', code: 'seats', name: 'Seats', type: 'seats' };
  const { user, sent } = await openDashboard('/usage/limits', {
    features: connection(seats),
    limitCreate: { id: 'lim_1' },
  });
  await user.click(await screen.findByRole('button', { name: 'Create template' }));
  const form = within(await screen.findByRole('dialog', { name: 'New template' }));
  const choose = async (field: RegExp, option: RegExp) => {
    await user.click(form.getByRole('button', { name: field }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const actions = () =>
    form.getAllByRole<HTMLInputElement>('radio').map(({ value, checked }) => (checked ? `${value}*` : value));
  return { user, sent, form, choose, actions };
}

it('offers all actions for spend, and sends the chosen action', async () => {
  const { user, sent, form, choose, actions } = await openForm();
  expect(actions()).toEqual(['block*', 'approve', 'notify', 'throttle']);
  await user.click(form.getByRole('radio', { name: /^Require approval/ }));
  await user.type(form.getByRole('textbox', { name: /^Amount/ }), '50');
  // Usage events can also require approval, so the action remains.
  await choose(/Measure/, /^Usage events/);
  expect(actions()).toEqual(['block', 'approve*', 'notify', 'throttle']);
  await user.type(form.getByRole('textbox', { name: /^Amount/ }), '50');
  await user.click(form.getByRole('button', { name: 'Create template' }));
  await screen.findByText('Limit created');
  expect(sent).toMatchObject([
    { name: 'limitCreate', input: { measure: 'calls', action: 'approve', amount: 50 } },
  ]);
});

it('replaces an action that the new measure does not offer', async () => {
  const { user, sent, form, choose, actions } = await openForm();
  await user.click(form.getByRole('radio', { name: /^Slow down/ }));
  expect(actions()).toEqual(['block', 'approve', 'notify', 'throttle*']);
  await choose(/Measure/, /^Seats or quota units/);
  expect(actions()).toEqual(['block*', 'notify']);
  await choose(/Feature/, /^Seats/);
  await user.type(form.getByRole('textbox', { name: /^Amount/ }), '10');
  await user.click(form.getByRole('button', { name: 'Create template' }));
  await screen.findByText('Limit created');
  expect(sent).toMatchObject([
    { name: 'limitCreate', input: { measure: 'level', action: 'block', filter: { features: ['seats'] } } },
  ]);
});

it('keeps an action that the new measure offers', async () => {
  const { user, form, choose, actions } = await openForm();
  await user.click(form.getByRole('radio', { name: /^Notify/ }));
  await choose(/Measure/, /^Seats or quota units/);
  expect(actions()).toEqual(['block', 'notify*']);
  await choose(/Measure/, /^Usage events/);
  expect(actions()).toEqual(['block', 'approve', 'notify*', 'throttle']);
});

it('shows the customers who exceed the limit before it is created, and creates nothing', async () => {
  const ada = { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' };
  const state = {
    ...{ limitId: 'lim_1', measure: 'spend', unit: 'usd', amount: '20', raise: '0', used: '50' },
    ...{ remaining: '0', held: null, resetsAt: null, node: { key: null } },
    limit: { id: 'lim_1', name: null },
  };
  const exceeding = { count: 1, compared: 3, isComplete: true, nodes: [{ customer: ada, state }] };
  const { user, sent } = await openDashboard('/usage/limits', { limitCreate: { id: 'lim_1', exceeding } });
  await user.click(await screen.findByRole('button', { name: 'Create template' }));
  const form = within(await screen.findByRole('dialog', { name: 'New template' }));
  expect(form.queryByRole('button', { name: 'Compare with current usage' })).toBeNull();
  await user.type(form.getByRole('textbox', { name: /^Amount/ }), '20');
  await user.click(form.getByRole('button', { name: 'Compare with current usage' }));
  expect(await form.findByText('1 customer or budget exceeds this limit.')).toBeTruthy();
  expect(form.getByText('Ada Lovelace')).toBeTruthy();
  expect(form.getByText('$50.00 of $20.00')).toBeTruthy();
  expect(sent).toMatchObject([{ name: 'limitCreate', input: { measure: 'spend', amount: 2_000 } }]);
  expect(screen.queryByText('Limit created')).toBeNull();
});
