import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from '../modules/pages/portal/visit.ts';
import { createPlanGroup } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// Charges below the minimum charge amount are carried over to the next invoice (BIL-35), including tax.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const billingAddress = { line1: '1 Hauptstr.', city: 'Berlin', postalCode: '10115', country: 'DE' };

/** Subscribes a customer in Berlin. The tax rate is 19%. */
async function subscribeBerlin(story: Story, planCode: string): Promise<Subscriber> {
  await story.ask('mutation { taxRegistrationCreate(input: { country: "DE", rateBps: 1900 }) { id } }');
  const ada = await story.subscribe('ada', planCode);
  expect(await story.pay(ada, undefined, { billingAddress })).toBe('paid');
  return ada;
}

/** Returns the date and amount of the next charge in the portal. */
async function nextCharge(story: Story): Promise<string> {
  const shown = await (await visit(story, 'ada')).see('nextCharge { amount date }');
  const charge = shown?.['nextCharge'] as { amount: number; date: string } | undefined;
  return `${charge?.date.slice(0, 10)} ${charge?.amount}`;
}

const documents = async (story: Story): Promise<readonly string[]> => (await story.news()).documents;

describe('a monthly price of $0.40 with 19% tax', () => {
  it("is charged every second month with both months' tax", () =>
    runStory(t, '2027-01-10', async (story) => {
      await story.sell('drop', { price: { price: 40 } });
      await subscribeBerlin(story, 'drop');
      // A first invoice's amount isn't carried over but written off.
      expect(await documents(story)).toEqual([
        'INV-0001 recurring paid 2027-01-10..2027-02-10 48 = plan_base 40 + tax 8',
      ]);
      expect(await nextCharge(story)).toBe('2027-02-10 0');
      await story.on('2027-02-10');
      expect(await documents(story)).toEqual([
        'INV-0002 recurring void 2027-02-10..2027-03-10 48 = plan_base 40 + tax 8',
      ]);
      expect(await nextCharge(story)).toBe('2027-03-10 95');
      await story.on('2027-03-10');
      expect(await documents(story)).toEqual([
        'INV-0003 recurring paid 2027-03-10..2027-04-10 95 = plan_base 40 + one_time 40 + tax 15',
      ]);
      expect(await nextCharge(story)).toBe('2027-04-10 0');
    }));

  it('is charged at the next renewal even after a plan change that credits the unused time', () =>
    runStory(t, '2027-01-10', async (story) => {
      const drop = await story.sell('drop', { price: { price: 40 } });
      const wave = await story.sell('wave', { price: { price: 2_800 } });
      const { id: group } = await createPlanGroup(story.shop);
      for (const { id: planId } of [drop, wave])
        await story.do('POST', `/plan-groups/${group}/plans`, { planId });
      const ada = await subscribeBerlin(story, 'drop');
      await story.on('2027-02-10');
      await documents(story);
      await story.do('POST', `/subscriptions/${ada.id}/change-plan`, { newPlanId: wave.id });
      expect(await documents(story)).toEqual([
        'INV-0003 plan_change paid 2027-02-10..2027-03-10 3284 = plan_base 2800 + credit -40 + tax 524',
      ]);
      expect(await nextCharge(story)).toBe('2027-03-10 3380');
      await story.on('2027-03-10');
      expect(await documents(story)).toEqual([
        'INV-0004 recurring paid 2027-03-10..2027-04-10 3380 = plan_base 2800 + one_time 40 + tax 540',
      ]);
      expect(await nextCharge(story)).toBe('2027-04-10 3332');
    }));
});
