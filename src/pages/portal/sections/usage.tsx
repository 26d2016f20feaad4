import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { UsageChart } from '../chart.tsx';
import { Limits } from '../limits.tsx';
import { Meters } from '../meters.tsx';
import { Card, Plain, Quiet } from '../parts.tsx';
import { useOwn } from '../portal-words.ts';
import { type SectionProps, sectionOf } from './kind.ts';
import { UsageSectionDocument } from './usage.graphql';

type Portal = ResultOf<typeof UsageSectionDocument>['portal'];

function Usage({ portal, actions }: SectionProps<Portal>) {
  const { usage: words } = useOwn();
  const { token } = usePage();
  const { subscription } = portal;
  if (subscription === null || subscription.features.length === 0)
    return (
      <Plain>
        <Quiet>{words.none}</Quiet>
      </Plain>
    );
  const counted = subscription.features.flatMap((feature) =>
    feature.type === 'usage' && 'usage' in feature ? [feature] : [],
  );
  return (
    <>
      <Card id="used" title={words.title}>
        <Quiet>{words.text}</Quiet>
        <Meters subscription={subscription} />
      </Card>
      {counted.length === 0 || subscription.currentPeriod === null ? null : (
        <UsageChart token={token} features={counted} period={subscription.currentPeriod} />
      )}
      <Limits
        limits={portal.usageLimits.limits}
        budgets={portal.usageLimits.budgets}
        currency={subscription.currency}
        timeZone={portal.customer.timezone}
        isOffered={portal.settings.customerLimits}
        actions={actions}
      />
    </>
  );
}

/** Section with the usage of included amounts, current and over time, and the limits on the usage. */
export const usage = sectionOf(UsageSectionDocument, Usage);
