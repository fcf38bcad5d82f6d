/** 'first_performance_on' as 'First performance on', 'total_minor' as 'Total', 'rate_ppm' as 'Rate, percent'. */
export function headingOf(field: string): string {
  const words = field.replace(/_minor$/, '').replace(/_ppm$/, ', percent').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
