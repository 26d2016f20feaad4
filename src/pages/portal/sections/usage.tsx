import { usePage } from '../../data/current-page.ts';
import { UsageChart } from '../chart.tsx';
import { Meters } from '../meters.tsx';
import { Card, Plain, Quiet } from '../parts.tsx';
import { useOwn } from '../portal-words.ts';
import { PlainSectionDocument } from '../standing.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

function Usage({ portal }: SectionProps) {
  const { sections, usage: words } = useOwn();
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
      <Card id="used" title={sections.usage}>
        <Quiet>{words.text}</Quiet>
        <Meters subscription={subscription} />
      </Card>
      {counted.length === 0 || subscription.currentPeriod === null ? null : (
        <UsageChart token={token} features={counted} period={subscription.currentPeriod} />
      )}
    </>
  );
}

/** Section with the usage of included amounts, current and over time. */
export const usage = sectionOf(PlainSectionDocument, Usage);
