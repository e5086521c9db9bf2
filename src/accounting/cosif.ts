/** The digit that closes a COSIF or COFI code: digits from the right times 3, 7, 1, 3, 7, 1…; up to the next ten. */
export function cosifCheckDigit(digits: string): string {
  const weights = [3, 7, 1];
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    sum += Number(digits[digits.length - 1 - place]) * weights[place % 3]!;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Whether the last digit of a regulatory code, masked or bare, is the one that its other digits ask for. */
export function hasValidCheckDigit(code: string): boolean {
  const digits = code.replace(/\D/g, '');
  return digits.length > 1 && cosifCheckDigit(digits.slice(0, -1)) === digits.slice(-1);
}

/** '11100009' → '1.1.1.00.00-9': the funds' chart. Text of another length comes back as it is. */
export function maskedCofi(digits8: string): string {
  return digits8.replace(/^(\d)(\d)(\d)(\d\d)(\d\d)(\d)$/, '$1.$2.$3.$4.$5-$6');
}
