/* Only prints, to measure the cost of loading the libraries that it is linked with. */
#include <stdio.h>

int main(void)
{
    puts("tokentry 0.0.0");
    return 0;
}
