// Classifies the fields of requests and responses: secrets, and personal data of customers and members.

/** Class of a field whose value is masked. `null` if the value is stored. */
type MaskClass = 'secret' | 'personal' | null;

/** Fields with secrets, and with numbers that identify an account or a card. */
const secretNames: ReadonlySet<string> = new Set([
  'accountnumber',
  'apikey',
  'authenticationtoken',
  'cardnumber',
  'clientsecret',
  'cvc',
  'cvv',
  'devicecode',
  'iban',
  'number',
  'password',
  'providertoken',
  'redirecturl',
  'routingnumber',
  'secret',
  'secretkey',
  'securitycode',
  'signingsecret',
  'ticket',
  'token',
  'usercode',
  'webhooksecret',
]);

/** Ends of names of secrets, such as `portalToken`. */
const secretEnds = /(?:secret|token|password|apikey|secretkey)$/;

/** Beginnings of the owners of document numbers, which have the same field name as card numbers. */
const ofDocument = /^(?:creditNote|invoice|latestInvoice)/;

/** Fields with personal data, and with texts that people write. */
const personalNames: ReadonlySet<string> = new Set([
  'acceptedby',
  'accountholder',
  'accountholdername',
  'actorname',
  'addressline1',
  'addressline2',
  'authorname',
  'birthdate',
  'body',
  'callername',
  'cancelreason',
  'cardholder',
  'city',
  'companyname',
  'content',
  'customername',
  'dateofbirth',
  'deliveryerror',
  'disputereason',
  'documentlast4',
  'editorname',
  'email',
  'emails',
  'firstname',
  'fullname',
  'holder',
  'holdername',
  'html',
  'ip',
  'ipaddress',
  'lastname',
  'arguments',
  'legalname',
  'line1',
  'line2',
  'memo',
  'nationalid',
  'note',
  'payername',
  'personname',
  'phone',
  'ponumber',
  'postalcode',
  'reason',
  'recipient',
  'recipients',
  'registrationnumber',
  'replyto',
  'result',
  'savedby',
  'search',
  'statement',
  'subject',
  'summary',
  'taxid',
  'text',
  'to',
  'useragent',
]);

/** Ends of names of personal data, such as `billingEmail`. */
const personalEnds = /(?:email|phone|address)$/;

/** Free-form objects. All their strings are personal. */
const freeForm: ReadonlySet<string> = new Set(['customfields', 'metadata', 'properties', 'billingaddress']);

/** Fields that contain the name of a person or a company, unless they belong to the catalog or to settings. */
const names: ReadonlySet<string> = new Set(['name', 'description', 'title', 'label', 'externalid']);

/** Beginnings of the operations and fields whose names and descriptions the merchant wrote. */
const ofMerchant =
  /^(?:active|addon|aiModel|apiKey|asset|budget|cardPromotion|catalog|commitment|country|creditPack|currency|event(?:Type|s)?$|export|feature|invoiceLine|issue|limit|line|market|meter|offer|package|paymentRoute|plan|pool|price|pricingTable|promoCode|quota|rate|requestLog|retentionOffer|savedView|seat|taxRegistration|tier|usageCheck|webhook)/;

/** Maximum number of cached owners, and of cached fields of an owner. Clients can choose the names of fields in metadata. */
const maxCached = 1_000;

const cached = new Map<string, Map<string, MaskClass>>();

/**
 * Returns the class of a field. `owner` is the field or the operation that contains the field. A name whose owner is unknown is
 * personal.
 */
export function maskClassOf(name: string, owner: string): MaskClass {
  if (cached.size > maxCached) cached.clear();
  const ofOwner = cached.getOrInsertComputed(owner, () => new Map());
  const known = ofOwner.get(name);
  if (known !== undefined) return known;
  if (ofOwner.size > maxCached) ofOwner.clear();
  const found = classOf(name, owner);
  ofOwner.set(name, found);
  return found;
}

function classOf(name: string, owner: string): MaskClass {
  const plain = name.toLowerCase().replaceAll('_', '');
  // The reason in the details of an error is a code.
  if (plain === 'reason' && owner === 'details') return null;
  if (plain === 'number') return ofDocument.test(owner) || ofMerchant.test(owner) ? null : 'secret';
  if (secretNames.has(plain) || secretEnds.test(plain)) return 'secret';
  if (personalNames.has(plain) || personalEnds.test(plain) || freeForm.has(plain)) return 'personal';
  return names.has(plain) && !ofMerchant.test(owner) ? 'personal' : null;
}
