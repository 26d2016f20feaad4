import type { ResultOf } from '../../../../../ui/documents.ts';
import { type CardDraft, cardDraftOf } from '../../../../parts/catalog/model/card-draft.ts';
import { type PhaseAnswer, type PhaseDraft, phaseDrafts } from '../../../../parts/catalog/model/phases.ts';
import type { CountryCurrency, MarketCountries } from '../../../../parts/catalog/model/place.ts';
import type { FeatureKind, PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import type { CatalogSavedCardsDocument, CatalogSurroundingsDocument } from '../page.graphql';

/** Catalog objects that the plan editor refers to, such as features and markets. */
export type Surroundings = {
  readonly isLoaded: boolean;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly features: readonly {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly type: FeatureKind;
    readonly unitName: string | null;
    readonly meter: { readonly decimals: number } | null;
  }[];
  readonly markets: readonly MarketCountries[];
  readonly offers: readonly {
    readonly id: string;
    readonly name: string;
    readonly phases: readonly PhaseDraft[];
  }[];
  readonly rateCards: readonly { readonly id: string; readonly name: string; readonly card: CardDraft }[];
  /** Custom units, including archived ones. */
  readonly units: ResultOf<typeof CatalogSurroundingsDocument>['assets'];
  readonly currencies: readonly string[];
  readonly countries: readonly (CountryCurrency & { readonly name: string })[];
};

/** Props that every section of the plan editor receives. */
export type PartProps = {
  readonly draft: PlanDraft;
  readonly saved: PlanDraft;
  readonly surroundings: Surroundings;
  readonly onChange: (draft: PlanDraft) => void;
};

/** Returns the catalog objects in a response. Returns empty lists while loading. */
export function surroundingsOf(
  data: ResultOf<typeof CatalogSurroundingsDocument> | null,
  cards: ResultOf<typeof CatalogSavedCardsDocument> | null,
): Surroundings {
  return {
    isLoaded: data !== null,
    groups: data?.planGroups.nodes ?? [],
    features: data?.features.nodes ?? [],
    markets: data?.markets.nodes ?? [],
    offers: (data?.offers.nodes ?? []).map(({ id, name, phases }) => ({
      id,
      name,
      phases: phaseDrafts(phases as readonly PhaseAnswer[]),
    })),
    rateCards: (cards?.rateCards.nodes ?? []).map(({ id, name, ...card }) => ({
      id,
      name,
      card: cardDraftOf({ ...card, rateCardId: id }),
    })),
    units: data?.assets ?? [],
    currencies: (data?.currencies ?? []).map(({ code }) => code).filter((code) => code !== 'usd'),
    countries: data?.countries ?? [],
  };
}
