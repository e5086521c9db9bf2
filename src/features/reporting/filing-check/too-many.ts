/** More of a kind than is kept: reading stops, because a forged file must not fill the memory. */
export class TooMany extends Error {}
