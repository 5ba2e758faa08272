/* What any program has to pay that loads the same libraries as tokentry: it only prints. */
#include <stdio.h>

int main(void)
{
    puts("tokentry 0.0.0");
    return 0;
}
