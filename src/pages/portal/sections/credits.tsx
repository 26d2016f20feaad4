import type { ResultOf } from '../../../ui/documents.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { usePage } from '../../data/current-page.ts';
import { run } from '../../data/service.ts';
import { dayText, moneyText } from '../../format.ts';
import { AutoTopUp } from '../auto-top-up.tsx';
import { BalanceTopUp } from '../balance-top-up.tsx';
import { Commitments } from '../commitments.tsx';
import { Movements } from '../movements.tsx';
import { Card, Item, List, NumberCell, Plain, Quiet, Table } from '../parts.tsx';
import styles from '../portal.module.css';
import { useOwn } from '../portal-words.ts';
import { BuyCreditsDocument } from '../steps.graphql';
import { balanceText, type Unit, unitText } from '../texts.ts';
import { CreditsSectionDocument, EarlierBalanceDocument, EarlierCreditsDocument } from './credits.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof CreditsSectionDocument>['portal'];
type Subscription = NonNullable<Portal['subscription']>;
type Parts = SectionProps<Portal> & { readonly subscription: Subscription };

type Pool = Subscription['pools'][number];

const poolOf = ({ pools }: Subscription, asset: string): Pool | undefined =>
  pools.find((pool) => pool.asset === asset);

const packsOf = ({ creditPacks }: Subscription, asset: string): Subscription['creditPacks'] =>
  creditPacks.filter((pack) => pack.asset === asset);

type LotsProps = {
  readonly pool: Pool | undefined;
  /** Formats the amount of a lot. */
  readonly textOf: (amount: number) => string;
};

/** Lists the parts of a pool with their ends, if there are several. */
function Lots({ pool, textOf }: LotsProps) {
  const page = usePage();
  const { credits: words } = useOwn();
  const { lots = [], asset, unit = null } = pool ?? {};
  if (lots.length < 2) return null;
  const title = unit === null ? words.lots : words.lotsOf({ unit: unit.name });
  return (
    <Card id={asset === 'credits' ? 'lots' : `lots-${asset}`} title={title}>
      <Table label={title} head={[words.origin, words.expires, words.left]}>
        {lots.map(({ source, remaining, expiresAt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lots have no names.
          <tr key={index}>
            <th scope="row">{words.sources[source]}</th>
            <td>{expiresAt === null ? words.never : dayText(page, expiresAt)}</td>
            <NumberCell>{textOf(remaining)}</NumberCell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Balance({ subscription, ...rest }: Parts) {
  const page = usePage();
  const own = useOwn();
  const { balance, balanceLedger, canTopUp } = subscription;
  if (balance === null) return null;
  const rate = (value: number): string => balanceText({ page, own }, balance.currency, value);
  return (
    <>
      <Card id="balance" title={own.sections.balance}>
        <p id="balance-left" class={styles.price}>
          {own.credits.balanceText({ left: rate(balance.remaining) })}
        </p>
        <Quiet>{own.credits.balanceParts({ included: rate(balance.included) })}</Quiet>
        {canTopUp && rest.portal.settings.purchase ? (
          <BalanceTopUp subscription={subscription} actions={rest.actions} />
        ) : null}
      </Card>
      {canTopUp ? (
        <AccountTopUp
          asset={balance.currency}
          unit={null}
          packs={null}
          subscription={subscription}
          {...rest}
        />
      ) : null}
      <Lots pool={poolOf(subscription, balance.currency)} textOf={rate} />
      <Movements
        id="balance-history"
        first={balanceLedger}
        textOf={rate}
        more={async (after) =>
          (await run(EarlierBalanceDocument, { token: page.token, after })).portal.subscription
            ?.balanceLedger ?? null
        }
      />
    </>
  );
}

type AccountProps = Parts & {
  readonly asset: string;
  readonly unit: Unit | null;
  /** Packs of the unit. `null` if the account is a balance. */
  readonly packs: Subscription['creditPacks'] | null;
};

/** Automatic top-up of one account of the subscription. */
const AccountTopUp = ({ asset, unit, packs, subscription, portal, actions }: AccountProps) => (
  <AutoTopUp
    asset={asset}
    unit={unit}
    packs={packs}
    currency={packs?.[0]?.currency ?? subscription.currency}
    currencyDecimals={subscription.currencyDecimals}
    topUp={subscription.autoTopUps.find((topUp) => topUp.asset === asset)}
    isOffered={portal.settings.purchase && portal.settings.customerAutoTopUp}
    actions={actions}
  />
);

/** Packs of credits or of a custom unit that the customer can buy. */
function Packs({ subscription, actions, pool }: Parts & { readonly pool: Pool | undefined }) {
  const page = usePage();
  const { credits: words } = useOwn();
  const { asset = 'credits', unit = null } = pool ?? {};
  const packs = packsOf(subscription, asset);
  if (packs.length === 0) return null;
  const textsOf = (credits: number, amount: string) => {
    if (unit === null)
      return {
        pack: words.pack({ credits, amount }),
        title: words.buyTitle({ credits }),
        done: words.bought({ credits }),
      };
    const units = unitText(page.language, unit, credits);
    return {
      pack: words.packOf({ units, amount }),
      title: words.buyTitleOf({ units }),
      done: words.boughtOf({ units }),
    };
  };
  return (
    <Card
      id={unit === null ? 'packs' : `packs-${asset}`}
      title={unit === null ? words.packs : words.packsOf({ unit: unit.name })}
    >
      <List id={unit === null ? 'goods' : `goods-${asset}`}>
        {packs.map(({ creditPackId, name, credits, validDays, currency, amountDue }) => {
          const priced = { currency, currencyDecimals: subscription.currencyDecimals };
          const { pack, title, done } = textsOf(credits, moneyText(page, priced, amountDue));
          const buy = (): void =>
            actions.buy({
              action: 'creditsPurchase',
              mutation: BuyCreditsDocument,
              input: { creditPackId },
              title,
              label: words.buy,
              done,
            });
          return (
            <Item
              key={creditPackId}
              name={name}
              text={validDays === null ? pack : words.packDays({ pack, days: validDays })}
              action={{ label: words.buy, isBusy: actions.steps.isBusy, act: buy }}
            />
          );
        })}
      </List>
    </Card>
  );
}

/** Remaining amount of a custom unit and its parts. */
function UnitPool({ pool, ...rest }: Parts & { readonly pool: Pool }) {
  const { asset, unit, lots } = pool;
  const page = usePage();
  const { credits: words } = useOwn();
  if (unit === null) return null;
  const textOf = (amount: number): string => unitText(page.language, unit, amount);
  const left = lots.reduce((sum, { remaining }) => sum + remaining, 0);
  return (
    <>
      <Card id={`pool-${asset}`} title={unit.name}>
        <p class={styles.price}>{words.balanceText({ left: textOf(left) })}</p>
      </Card>
      {rest.portal.settings.purchase ? <Packs pool={pool} {...rest} /> : null}
      <AccountTopUp asset={asset} unit={unit} packs={packsOf(rest.subscription, asset)} {...rest} />
      <Lots pool={pool} textOf={textOf} />
    </>
  );
}

/** True if the credits of the subscription aren't the amount of another custom unit. */
const hasCredits = ({ credits, pools }: Subscription): boolean =>
  credits !== null &&
  (pools.every(({ unit }) => unit === null) || pools.some(({ asset }) => asset === 'credits'));

function Credits({ subscription, ...rest }: Parts) {
  const page = usePage();
  const own = useOwn();
  const { credits, creditLedger } = subscription;
  if (credits === null || !hasCredits(subscription)) return null;
  const count = (value: number): string => countText(value, page.language);
  return (
    <>
      <Card id="credits" title={own.sections.credits}>
        <p id="credits-left" class={styles.price}>
          {own.credits.creditsText({ left: credits.remaining })}
        </p>
        <Quiet>{own.credits.parts({ included: credits.included, purchased: credits.purchased })}</Quiet>
      </Card>
      {rest.portal.settings.purchase ? (
        <Packs pool={poolOf(subscription, 'credits')} subscription={subscription} {...rest} />
      ) : null}
      <AccountTopUp
        asset="credits"
        unit={null}
        packs={packsOf(subscription, 'credits')}
        subscription={subscription}
        {...rest}
      />
      <Lots pool={poolOf(subscription, 'credits')} textOf={count} />
      <Movements
        id="credit-history"
        first={creditLedger}
        textOf={count}
        more={async (after) =>
          (await run(EarlierCreditsDocument, { token: page.token, after })).portal.subscription
            ?.creditLedger ?? null
        }
      />
    </>
  );
}

function CreditsAndBalance(props: SectionProps<Portal>) {
  const own = useOwn();
  const { subscription } = props.portal;
  const { credits = null, balance = null, commitments = [] } = subscription ?? {};
  if (subscription === null || (credits === null && balance === null && commitments.length === 0))
    return (
      <Plain>
        <Quiet>{own.credits.none}</Quiet>
      </Plain>
    );
  return (
    <>
      <Credits subscription={subscription} {...props} />
      <Balance subscription={subscription} {...props} />
      <Commitments commitments={commitments} />
      {subscription.pools.map((pool) => (
        <UnitPool key={pool.asset} pool={pool} subscription={subscription} {...props} />
      ))}
    </>
  );
}

/** Section with the remaining credits, balance, and commitments, with purchases and activity. */
export const credits = sectionOf(CreditsSectionDocument, CreditsAndBalance);
