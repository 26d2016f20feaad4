/** What the list of credit packs says. */
export const packs = {
  text: 'Credits that subscribers of credits plans can buy at any time.',
  empty: 'There are no credit packs yet',
  new: 'New credit pack',
  create: 'Create credit pack',
  state: 'State',
  onSale: 'On sale',
  offSale: 'Off sale',
  onSaleHelp: 'Off takes the pack from the list that customers see.',
  credits: 'Credits',
  price: 'Price',
  priceHelp: 'In other currencies it follows the exchange rate of the subscriber’s plan.',
  each: 'Per credit',
  changeText: 'A new price counts for later purchases. Credits that were bought stay as they are.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'Nobody can buy it any more. Credits that were bought stay. This cannot be undone.',
};
