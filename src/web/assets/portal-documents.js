// The operations of the customer portal.

import { authenticationFields } from './documents.js';

const invoiceFields = `pageInfo { hasNextPage endCursor } edges { node { invoiceNumber issueDate status total currency currencyDecimals downloadUrl } }`;

const counted = 'name type usage { current included unlimited }';

export const portalQuery = `query Portal {
  portal {
    organizationName branding { accentColor logoUrl } returnUrl livemode
    customer { email fullName taxDocument documentType address { line1 line2 city state postalCode country region } }
    subscription {
      name planName status billingInterval currency currencyDecimals price startDate endDate trialEndsAt nextBillingDate
      currentPeriod { end } cancellation { effectiveAt } scheduledPlanChange { newPlanName newBillingInterval scheduledFor } canCancel
      cancelsAtOnce credits { remaining included purchased } balance { remaining included currency } publishableKey paymentMethod { brand last4 expMonth expYear }
      checkoutUrl ${authenticationFields} amountOwed nextRetryAt accessEndsAt canReactivate canPurchase canTopUp
      planOptions { planId planName billingInterval price currency timing amountDue effectiveDate }
      addons { addonId name } offeredAddons { addonId name description amountDue currency } creditPacks { creditPackId name credits amountDue currency }
      features {
        ... on SubscriptionBooleanFeature { name type enabled }
        ... on SubscriptionUsageFeature { ${counted} }
        ... on SubscriptionSeatsFeature { ${counted} }
        ... on SubscriptionQuotaFeature { ${counted} }
      }
    }
    invoices(first: 12) { ${invoiceFields} }
  }
}`;

export const earlierQuery = `query Earlier($after: String!) { portal { invoices(first: 12, after: $after) { ${invoiceFields} } } }`;

export const cancelMutation = `mutation Cancel($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { status } }`;

export const undoMutation = `mutation Undo($input: PortalSubscriptionUncancelInput!) { portalSubscriptionUncancel(input: $input) { status } }`;

export const reactivateMutation = `mutation Reactivate($input: PortalSubscriptionReactivateInput!) { portalSubscriptionReactivate(input: $input) { status } }`;

export const retryMutation = `mutation Retry($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }`;

export const storeMutation = `mutation Store($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }`;

export const authenticateMutation = `mutation Authenticate($input: PortalCardAuthenticateInput!) { portalCardAuthenticate(input: $input) { status } }`;

export const billingMutation = `mutation Billing($input: PortalCustomerUpdateInput!) { portalCustomerUpdate(input: $input) { email } }`;

export const addonMutation = `mutation Addon($input: PortalAddonActivateInput!) { portalAddonActivate(input: $input) { status } }`;

export const offMutation = `mutation Off($input: PortalAddonDeactivateInput!) { portalAddonDeactivate(input: $input) { status } }`;

export const creditsMutation = `mutation Credits($input: PortalCreditsPurchaseInput!) { portalCreditsPurchase(input: $input) { status } }`;

export const topUpMutation = `mutation TopUp($input: PortalBalanceTopUpInput!) { portalBalanceTopUp(input: $input) { status } }`;

export const moveMutation = `mutation Move($input: PortalPlanChangeInput!) { portalPlanChange(input: $input) { outcome checkoutUrl } }`;

export const keepMutation = `mutation Keep($input: PortalScheduledChangeRevokeInput!) { portalScheduledChangeRevoke(input: $input) { status } }`;

const charge = 'date amount isFinal currency currencyDecimals billingInterval';

export const previewQuery = `query Preview($action: PortalActionInput!) {
  portalPreview(action: $action) {
    amountDue currency currencyDecimals requiresCheckout accessUntil amountDueLater isFinal amountWithdrawn creditsLost balanceLost lapsesAt
    laterCharges { date } nextCharge { ${charge} } nextChargeWithout { ${charge} }
  }
}`;
