/** An exact decimal as text, such as '1000.00': a floating-point number would lose digits of it. */
export type Decimal = string;
