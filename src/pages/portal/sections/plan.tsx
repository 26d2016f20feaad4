import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { dayText, moneyText } from '../../format.ts';
import { webAddress } from '../../parts/frame.tsx';
import { useOwn } from '../own.ts';
import { Item, List, Plain, Quiet } from '../parts.tsx';
import { MoveDocument } from '../steps.graphql';
import { priceText, type Speaking, type Standing } from '../texts.ts';
import { type SectionProps, sectionOf } from './kind.ts';
import { PlanSectionDocument } from './plan.graphql';

type Portal = ResultOf<typeof PlanSectionDocument>['portal'];
type Option = NonNullable<Portal['subscription']>['planOptions'][number];

/** What an option costs, and when it begins. */
function optionText({ page, own }: Speaking, option: Option, { currencyDecimals }: Standing): string {
  const priced = { ...option, currencyDecimals };
  const now =
    option.amountDue === 0 ? own.plan.nowNothing : own.plan.now(moneyText(page, priced, option.amountDue));
  const later = option.timing === 'scheduled' ? [own.plan.later(dayText(page, option.effectiveDate))] : [];
  return [priceText({ page, own }, priced), now, ...later].join(' · ');
}

function Plans({ portal, actions }: SectionProps<Portal>) {
  const page = usePage();
  const own = useOwn();
  const speaking = { page, own };
  const { subscription, settings } = portal;
  const options = subscription?.planOptions ?? [];
  if (subscription === null || !settings.changePlan || options.length === 0)
    return (
      <Plain>
        <Quiet>{settings.changePlan ? own.plan.none : own.plan.off}</Quiet>
      </Plain>
    );
  const choose = (option: Option): void => {
    const { planId, planName, billingInterval, timing, effectiveDate } = option;
    const input = { planId, billingInterval: billingInterval === 'one_time' ? null : billingInterval };
    const price = priceText(speaking, { ...option, currencyDecimals: subscription.currencyDecimals });
    const when = timing === 'scheduled' ? own.plan.scheduled(dayText(page, effectiveDate)) : own.plan.atOnce;
    actions.buy({
      action: 'planChange',
      mutation: MoveDocument,
      input,
      title: own.plan.changeTo(planName),
      before: `${price}. ${when}`,
      label: own.plan.change,
      done: own.plan.done,
      // Where it is to be paid first, the customer goes there.
      next: ({ portalPlanChange }) => {
        const address = webAddress(portalPlanChange.checkoutUrl);
        if (address !== null) location.assign(address);
      },
    });
  };
  return (
    <Plain>
      <Quiet>{own.plan.text}</Quiet>
      <p id="present-plan">{own.plan.present(subscription.planName, priceText(speaking, subscription))}</p>
      <List id="moves-list">
        {options.map((option) => (
          <Item
            key={`${option.planId} ${option.billingInterval}`}
            name={option.planName}
            text={optionText(speaking, option, subscription)}
            action={{
              label: own.plan.choose,
              isBusy: actions.steps.isBusy,
              act: () => choose(option),
            }}
          />
        ))}
      </List>
    </Plain>
  );
}

/** Other plans, each with what the change leads to before it is made. */
export const plan = sectionOf(PlanSectionDocument, Plans);
