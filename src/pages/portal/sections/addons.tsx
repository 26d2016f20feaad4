import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { dayText, moneyText, type Priced } from '../../format.ts';
import { Tiers } from '../../parts/tiers.tsx';
import { Badge, Item, List, Plain, Quiet } from '../parts.tsx';
import { useOwn } from '../portal-words.ts';
import { AddAddonDocument, RemoveAddonDocument } from '../steps.graphql';
import { AddonsSectionDocument } from './addons.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof AddonsSectionDocument>['portal'];

type Terms = Pick<NonNullable<Portal['subscription']>['offeredAddons'][number], 'includedUnits' | 'rate'>;

/** Describes the included units of an add-on and the price of more units, with a table if the price has several tiers. */
function Units({ includedUnits, rate, priced }: Terms & { readonly priced: Priced }) {
  const { addons: words, tiers } = useOwn();
  if (rate === null) return null;
  const { featureName, text } = rate;
  const sentence =
    includedUnits === 0
      ? words.price({ feature: featureName, text })
      : words.units({ feature: featureName, included: includedUnits, text });
  return (
    <>
      <Quiet>{sentence}</Quiet>
      {rate.rate.tiers.length < 2 ? null : (
        <Tiers
          rate={rate.rate}
          priced={rate.isInCredits ? null : priced}
          words={tiers}
          included={includedUnits}
        />
      )}
    </>
  );
}

function Addons({ portal, actions }: SectionProps<Portal>) {
  const page = usePage();
  const { addons: words } = useOwn();
  const { subscription, settings } = portal;
  const { isBusy } = actions.steps;
  if (subscription === null || subscription.addons.length + subscription.offeredAddons.length === 0)
    return (
      <Plain>
        <Quiet>{words.none}</Quiet>
      </Plain>
    );
  const remove = (addonId: string, name: string): void =>
    actions.buy({
      action: 'addonDeactivate',
      mutation: RemoveAddonDocument,
      input: { addonId },
      title: words.offTitle({ name }),
      label: words.off,
      done: words.switchedOff({ name }),
    });
  const add = (addonId: string, name: string): void =>
    actions.buy({
      action: 'addonActivate',
      mutation: AddAddonDocument,
      input: { addonId },
      title: words.addTitle({ name }),
      label: words.add,
      done: words.added({ name }),
    });
  return (
    <Plain>
      <Quiet>{words.text}</Quiet>
      <List id="goods">
        {subscription.addons.map(({ addonId, name, since, includedUnits, rate }) => (
          <Item
            key={addonId}
            name={name}
            text={words.on({ day: dayText(page, since) })}
            mark={<Badge tone="good">✓</Badge>}
            action={settings.purchase ? { label: words.off, isBusy, act: () => remove(addonId, name) } : null}
          >
            <Units includedUnits={includedUnits} rate={rate} priced={subscription} />
          </Item>
        ))}
        {subscription.offeredAddons.map((offered) => (
          <Item
            key={offered.addonId}
            name={offered.name}
            text={[
              ...(offered.description === '' ? [] : [offered.description]),
              words.today({ amount: moneyText(page, subscription, offered.amountDue) }),
            ].join(' · ')}
            action={
              settings.purchase
                ? { label: words.add, isBusy, act: () => add(offered.addonId, offered.name) }
                : null
            }
          >
            <Units includedUnits={offered.includedUnits} rate={offered.rate} priced={subscription} />
          </Item>
        ))}
      </List>
    </Plain>
  );
}

/** Section with active add-ons, and add-ons that can be added. */
export const addons = sectionOf(AddonsSectionDocument, Addons);
