import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currencies, exponentOf } from '../../src/domain/money/money.ts';
import {
  CheckoutButton,
  type CustomerSnapshot,
  Entitled,
  type PricedPlan,
  PricingTable,
  QuittanceProvider,
  UsageMeter,
} from '../../src/packages/react/index.ts';

// Components of the React package, without a service.

const feature = {
  name: 'API calls',
  unitName: null,
  allowed: true,
  used: 990,
  included: 1_000,
  available: 10,
};
const customer = (features: CustomerSnapshot['features']): CustomerSnapshot => ({
  customerId: 'ada',
  features,
});

describe('a gate', () => {
  const gate = (snapshot: CustomerSnapshot | null, quantity = 1) => (
    <QuittanceProvider customer={snapshot}>
      <Entitled feature="calls" quantity={quantity} fallback="locked">
        open
      </Entitled>
    </QuittanceProvider>
  );

  it.each([
    ['open', 'enough units', customer({ calls: feature }), 10],
    ['locked', 'too few units', customer({ calls: feature }), 11],
    ['open', 'an unlimited number', customer({ calls: { ...feature, available: null } }), 1_000],
    ['locked', 'no permission', customer({ calls: { ...feature, allowed: false } }), 1],
    ['locked', 'no such feature', customer({}), 1],
    ['locked', 'the name of a built-in property', customer({ toString: feature } as never), 11],
    ['locked', 'nobody signed in', null, 1],
  ])('shows %s for a customer with %s', (text, _case, snapshot, quantity) => {
    const { container } = render(gate(snapshot, quantity));
    expect(container.textContent).toBe(text);
  });

  it('changes with the data of the server', () => {
    const { container, rerender } = render(gate(customer({ calls: feature })));
    rerender(gate(customer({ calls: { ...feature, allowed: false } })));
    expect(container.textContent).toBe('locked');
  });
});

describe('the provider', () => {
  afterEach(() => vi.useRealTimers());

  const meter = (refresh: () => Promise<CustomerSnapshot>) => (
    <QuittanceProvider customer={customer({ calls: feature })} refresh={refresh} refreshMs={1_000}>
      <UsageMeter feature="calls" />
    </QuittanceProvider>
  );

  it('refreshes the access in intervals, and keeps the last access if a request fails', async () => {
    vi.useFakeTimers();
    const refresh = vi
      .fn<() => Promise<CustomerSnapshot>>()
      .mockResolvedValueOnce(customer({ calls: { ...feature, used: 995 } }))
      .mockRejectedValue(new Error('offline'));
    const { container, unmount } = render(meter(refresh));
    expect(container.textContent).toContain('990 of 1,000 used');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(container.textContent).toContain('995 of 1,000 used');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(container.textContent).toContain('995 of 1,000 used');
    unmount();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('ignores a response that arrives after a later one', async () => {
    vi.useFakeTimers();
    const waiting: ((found: CustomerSnapshot) => void)[] = [];
    const { container } = render(meter(() => new Promise((resolve) => waiting.push(resolve))));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await act(async () => waiting[1]?.(customer({ calls: { ...feature, used: 999 } })));
    await act(async () => waiting[0]?.(customer({ calls: { ...feature, used: 1 } })));
    expect(container.textContent).toContain('999 of 1,000 used');
  });
});

describe('a meter', () => {
  it.each([
    [feature, 'en', 'API calls990 of 1,000 used'],
    [{ ...feature, included: null }, 'en', 'API calls990 used'],
    [{ ...feature, used: null }, 'en', ''],
    [{ ...feature, used: 12_345, included: 20_000 }, 'es', 'API calls12.345 de 20.000 usados'],
  ])('shows %j in the language %s', (usage, locale, text) => {
    const { container } = render(
      <QuittanceProvider customer={customer({ calls: usage })} locale={locale}>
        <UsageMeter feature="calls" />
      </QuittanceProvider>,
    );
    expect(container.textContent).toBe(text);
  });
});

describe('a pricing table', () => {
  const plans: readonly PricedPlan[] = [
    { id: 'pln_1', name: 'Free', isFree: true, prices: [] },
    {
      id: 'pln_2',
      name: 'Pro',
      prices: [
        { billingInterval: 'yearly', price: 29_000 },
        { billingInterval: 'monthly', price: 2_900 },
      ],
      features: [
        { code: 'calls', name: 'API calls', enabled: true, includedAmount: 1_000 },
        { code: 'sso', name: 'SSO', enabled: false },
      ],
    },
    { id: 'pln_3', name: 'Tokyo', prices: [{ billingInterval: 'monthly', price: 1_235, currency: 'jpy' }] },
  ];

  it('shows the prices of the chosen interval, and reports the chosen plan', async () => {
    const onSelect = vi.fn();
    const { container } = render(
      <QuittanceProvider customer={null}>
        <PricingTable plans={plans} onSelect={onSelect} currentPlanId="pln_1" />
      </QuittanceProvider>,
    );
    expect(container.textContent).toContain('$29.00 per month');
    expect(container.textContent).toContain('¥1,235 per month');
    expect(container.textContent).toContain('API calls: 1,000');
    expect(container.textContent).not.toContain('SSO');
    await userEvent.click(screen.getByRole('button', { name: 'per year' }));
    expect(container.textContent).toContain('$290.00 per year');
    const buttons = ['Free', 'Pro', 'Tokyo'].map((plan) =>
      screen.getByRole<HTMLButtonElement>('button', { name: `Choose plan ${plan}` }),
    );
    expect(buttons.map(({ disabled }) => disabled)).toEqual([true, false, false]);
    await userEvent.click(buttons[1] as HTMLElement);
    await userEvent.click(buttons[2] as HTMLElement);
    expect(onSelect.mock.calls).toEqual([
      ['pln_2', 'yearly'],
      ['pln_3', 'monthly'],
    ]);
  });

  // `Intl` shows some currencies without decimals although their prices are in hundredths, such as the Hungarian forint.
  it.each([
    ['huf', 1_234_500, 'HUF 12,345.00'],
    ['cop', 1_234_500, 'COP 12,345.00'],
    ['idr', 1_234_500, 'IDR 12,345.00'],
    ['pkr', 1_234_550, 'PKR 12,345.50'],
    ['clp', 12_345, 'CLP 12,345'],
    ['isk', 12_345, 'ISK 12,345'],
    ['kwd', 12_345, 'KWD 12.345'],
  ])('shows a price in %s with its decimals', (currency, price, text) => {
    const sold = { id: 'pln_1', name: 'Pro', prices: [{ billingInterval: 'monthly', price, currency }] };
    const { container } = render(
      <QuittanceProvider customer={null}>
        <PricingTable plans={[sold]} onSelect={vi.fn()} />
      </QuittanceProvider>,
    );
    const shown = container.querySelector('.quittance-pricing-price')?.textContent ?? '';
    expect(shown.replace(/[\u00a0\u202f]/g, ' ')).toBe(`${text} per month`);
  });

  it('shows each currency with the decimals of the service', () => {
    const shown = (currency: string): string => {
      const sold = { id: 'pln_1', name: 'Pro', prices: [{ billingInterval: 'monthly', price: 0, currency }] };
      const { container, unmount } = render(
        <QuittanceProvider customer={null}>
          <PricingTable plans={[sold]} onSelect={vi.fn()} />
        </QuittanceProvider>,
      );
      const text = container.querySelector('.quittance-pricing-price')?.textContent ?? '';
      unmount();
      return text;
    };
    const decimals = (text: string): number => /0(?:\.(0+))?/.exec(text)?.[1]?.length ?? 0;
    expect(currencies.map((currency) => [currency, decimals(shown(currency))])).toEqual(
      currencies.map((currency) => [currency, exponentOf(currency)]),
    );
  });
});

describe('a checkout button', () => {
  it('opens the page once for two clicks, and shows a failure', async () => {
    const navigate = vi.fn();
    const onError = vi.fn();
    const { promise, resolve } = Promise.withResolvers<string>();
    const open = vi
      .fn<() => Promise<string>>()
      .mockReturnValueOnce(promise)
      .mockRejectedValueOnce(new Error('none'));
    render(
      <QuittanceProvider customer={null}>
        <CheckoutButton open={open} navigate={navigate} onError={onError} />
      </QuittanceProvider>,
    );
    const button = screen.getByRole('button', { name: 'Upgrade' });
    await userEvent.click(button);
    await userEvent.click(button);
    expect(open).toHaveBeenCalledTimes(1);
    await act(async () => resolve('https://pay.example/checkout/1'));
    expect(navigate.mock.calls).toEqual([['https://pay.example/checkout/1']]);
    await userEvent.click(button);
    expect(screen.getByRole('alert').textContent).toBe('Something went wrong. Try again.');
    expect(onError).toHaveBeenCalledTimes(1);
  });
});
