import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { dayText, moneyText } from '../../format.ts';
import { Badge, Item, List, Plain, Quiet } from '../parts.tsx';
import { useOwn } from '../portal-words.ts';
import { AddAddonDocument, RemoveAddonDocument } from '../steps.graphql';
import { AddonsSectionDocument } from './addons.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof AddonsSectionDocument>['portal'];

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
  const priced = (offered: { readonly currency: string }) => ({
    currency: offered.currency,
    currencyDecimals: subscription.currencyDecimals,
  });
  return (
    <Plain>
      <Quiet>{words.text}</Quiet>
      <List id="goods">
        {subscription.addons.map(({ addonId, name, since }) => (
          <Item
            key={addonId}
            name={name}
            text={words.on({ day: dayText(page, since) })}
            mark={<Badge tone="good">✓</Badge>}
            action={settings.purchase ? { label: words.off, isBusy, act: () => remove(addonId, name) } : null}
          />
        ))}
        {subscription.offeredAddons.map((offered) => (
          <Item
            key={offered.addonId}
            name={offered.name}
            text={[
              ...(offered.description === '' ? [] : [offered.description]),
              words.today({ amount: moneyText(page, priced(offered), offered.amountDue) }),
            ].join(' · ')}
            action={
              settings.purchase
                ? { label: words.add, isBusy, act: () => add(offered.addonId, offered.name) }
                : null
            }
          />
        ))}
      </List>
    </Plain>
  );
}

/** Section with active add-ons, and add-ons that can be added. */
export const addons = sectionOf(AddonsSectionDocument, Addons);
